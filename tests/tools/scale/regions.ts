/**
 * Where nodes and players are. Round trips follow from the distance on the globe and from the
 * player's own connection.
 */
import { ASSUMPTIONS } from "./assumptions.ts";

export interface Region {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  /** The share of all players who live here, and of all nodes. */
  readonly share: number;
}

/** Eight places where several providers run machines. The shares are assumed. */
export const WORLD_REGIONS: readonly Region[] = [
  { name: "frankfurt", latitude: 50.1, longitude: 8.7, share: 0.22 },
  { name: "virginia", latitude: 39.0, longitude: -77.5, share: 0.2 },
  { name: "oregon", latitude: 45.8, longitude: -119.7, share: 0.12 },
  { name: "sao-paulo", latitude: -23.5, longitude: -46.6, share: 0.1 },
  { name: "mumbai", latitude: 19.1, longitude: 72.9, share: 0.1 },
  { name: "singapore", latitude: 1.35, longitude: 103.8, share: 0.1 },
  { name: "tokyo", latitude: 35.7, longitude: 139.7, share: 0.12 },
  { name: "sydney", latitude: -33.9, longitude: 151.2, share: 0.04 },
];

const EARTH_RADIUS_KM = 6371;
const KM_PER_MS = 200;

/** Round trips between all regions, ms: 0 within one. */
export function cableRoundTripsMs(regions: readonly Region[]): number[][] {
  return regions.map((from) => regions.map((to) => cableRoundTripMs(from, to)));
}

function cableRoundTripMs(from: Region, to: Region): number {
  const rad = Math.PI / 180;
  const a = from.latitude * rad;
  const b = to.latitude * rad;
  const cosine = Math.sin(a) * Math.sin(b) +
    Math.cos(a) * Math.cos(b) * Math.cos((to.longitude - from.longitude) * rad);
  const km = EARTH_RADIUS_KM * Math.acos(Math.min(1, cosine));
  return 2 * km * ASSUMPTIONS.pathStretch.value / KM_PER_MS;
}
