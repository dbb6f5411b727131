export * from "./schemas.js";
export { type CallOptions, type Tagged } from "./call.js";
export { BrowserSessionStore } from "./browser-session-store.js";
export { Client, type ClientOptions } from "./client.js";
export { DeviceKey } from "./device-key.js";
export * from "./errors.js";
export { type Fetch } from "./exchange.js";
export { MemorySessionStore, type SessionStore, type StoredSession } from "./session-store.js";
export { StorageClient, type StorageOptions, type PutOptions, uploadReserved } from "./storage.js";
