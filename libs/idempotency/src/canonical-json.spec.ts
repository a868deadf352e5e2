import { describe, expect, it } from '@jest/globals';
import { parse } from 'lossless-json';
import { canonicalJson } from './canonical-json.js';

const canonical = (text: string): string => canonicalJson(parse(text));

describe('the same request, serialised again', () => {
  it.each([
    ['{"a":1,"b":2}', '{ "b": 2, "a": 1 }'],
    ['{"a":200.00}', '{"a":2e2}'],
    ['{"a":-200.00}', '{"a":-2e2}'],
    ['{"a":["x",{"b":null}]}', '{"a" : ["x", {"b":null}]}'],
    ['{"a":"\\u0041"}', '{"a":"A"}'],
  ])('%s is %s', (one, other) => {
    expect(canonical(one)).toBe(canonical(other));
  });

  it.each([
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    ['{"a":1}', '{"a":1,"b":null}'],
    ['{"a":200.00}', '{"a":200.01}'],
    ['{"a":0.0000001}', '{"a":0.0000002}'],
    ['{"a":9999999999999999999.99999}', '{"a":999999999999999999999999}'],
  ])('%s is not %s', (one, other) => {
    expect(canonical(one)).not.toBe(canonical(other));
  });
});
