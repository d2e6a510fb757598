/** Where others find a page and its documents. */
export interface PageAddresses {
  /** Of the page, without a slash at its end. */
  home: string;
  /** What addresses of documents end in. */
  ending: '' | '.html';
}

/** The address of a document below a page: `incidents/…`, `maintenances/…`. */
export function documentAddress({ home, ending }: PageAddresses, path: string): string {
  return `${home}/${path}${ending}`;
}
