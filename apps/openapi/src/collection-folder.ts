/** Names of folders below apps/openapi: `bruno` and `bruno-4.0`, but not somebody's own copy. */
export const collectionFolder = /^bruno(?:-\d+\.\d+)?$/;
