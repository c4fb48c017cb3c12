/** How tightly the page is compressed: once for all who come, so as small as it goes. The build says what that makes, and a test bounds it. */
export const GZIP_LEVEL = 9;
