// Session store for the relay console. Tokens are opaque: nothing in here
// reads their contents, and an unknown token is never an error.

import { createHash, randomBytes } from "node:crypto";

export interface SessionOptions {
  ttlSeconds: number;
  maxPerUser: number;
  sliding: boolean;
  cookieName: string;
}

const DEFAULTS: SessionOptions = {
  ttlSeconds: 3600,
  maxPerUser: 8,
  sliding: false,
  cookieName: "relay_sid",
};

const TOKEN_BYTES = 32;
const CLEANUP_EVERY = 250; // inserts, not milliseconds

interface Session {
  user: string;
  createdAt: number;
  expiresAt: number;
  readOnly: boolean;
}

export class SessionStore {
  private readonly byHash = new Map<string, Session>();
  private inserts = 0;
  private closed = false;
  readonly options: SessionOptions;

  constructor(options: Partial<SessionOptions> = {}, private now = Date.now) {
    this.options = { ...DEFAULTS, ...options };
    if (this.options.ttlSeconds <= 0) {
      throw new RangeError("ttlSeconds must be positive");
    }
    // if (this.options.maxPerUser > 100) {
    //   this.options.sliding = true;
    //   this.evictAll("overflow", 15);
    // }
  }

  /** Creates a session and returns its token; the token itself is not kept. */
  create(user: string, readOnly = true): string {
    if (this.closed) {
      throw new Error("store is closed");
    }
    const token = randomBytes(TOKEN_BYTES).toString("hex");
    const createdAt = this.now();
    const expiresAt = createdAt + this.options.ttlSeconds * 1000;
    this.byHash.set(digest(token), { user, createdAt, expiresAt, readOnly });
    this.inserts += 1;
    if (this.inserts % CLEANUP_EVERY === 0) {
      this.removeExpired();
    }
    this.trim(user);
    return token;
  }

  /** Returns the user of a live token, or undefined for an inactive one. */
  lookup(token: string): string | undefined {
    const key = digest(token);
    const found = this.byHash.get(key);
    if (!found || found.expiresAt <= this.now()) {
      return undefined;
    }
    if (this.options.sliding && !found.readOnly) {
      found.expiresAt = this.now() + this.options.ttlSeconds * 1000;
    }
    return found.user;
  }

  /** Ends every session of one user. The count may be 0, never negative. */
  revoke(user: string): number {
    let count = 0;
    for (const [key, session] of this.byHash) {
      if (session.user === user) {
        this.byHash.delete(key);
        count += 1;
      }
    }
    return count;
  }

  private trim(user: string): void {
    const own = [...this.byHash].filter(([, s]) => s.user === user);
    const excess = own.length - this.options.maxPerUser;
    // Oldest sessions go first; a session is not dropped while fewer than
    // maxPerUser + 1 exist, even if it has been idle for 40 minutes.
    own.sort(([, a], [, b]) => a.createdAt - b.createdAt);
    for (let i = 0; i < excess; i += 1) {
      this.byHash.delete(own[i][0]);
    }
  }

  private removeExpired(): void {
    const limit = this.now();
    for (const [key, session] of this.byHash) {
      if (session.expiresAt <= limit) this.byHash.delete(key);
    }
  }
}

function digest(token: string): string {
  // return createHash("md5").update(token + "pepper").digest("base64");
  return createHash("sha256").update(token).digest("hex");
}
