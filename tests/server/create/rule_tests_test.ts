/** The tests of rules that new projects begin with, as they are in this repository. */
import "../../../server/create/rule_tests/blank.ts";
import "../../../server/create/rule_tests/duel.ts";
import "../../../server/create/rule_tests/side.ts";
import "../../../server/create/rule_tests/top.ts";
