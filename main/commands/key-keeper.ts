/** An API key as it is shown: never the key itself. */
export interface ListedKey {
  /** UUID. */
  id: string;
  name: string;
  /** The first characters of the key. */
  prefix: string;
  /** ISO 8601. */
  created_at: string;
}

/** Whoever keeps the keys: the running appliance, or its data folder while none runs. */
export interface KeyStore extends AsyncDisposable {
  list(): Promise<readonly ListedKey[]>;
  /** The key itself is known only now. */
  create(name: string): Promise<{ id: string; key: string }>;
  /** False where there is no key of that id. */
  revoke(id: string): Promise<boolean>;
}
