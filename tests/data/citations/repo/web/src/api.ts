export interface Parcel {
  serial: string;
  carrier: string;
  state: "announced" | "moving" | "delivered";
  updatedAt: number;
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

const BASE = "/parcels/";

export async function fetchParcel(label: string, signal?: AbortSignal): Promise<Parcel> {
  const answer = await fetch(BASE + encodeURIComponent(label), { signal });
  const body = await answer.json();
  if (!answer.ok) {
    throw new ApiError(answer.status, body.error ?? "request failed");
  }
  return toParcel(body);
}

function toParcel(body: Record<string, unknown>): Parcel {
  return {
    serial: String(body.serial),
    carrier: String(body.carrier),
    state: body.state as Parcel["state"],
    updatedAt: Number(body.updated_at),
  };
}
