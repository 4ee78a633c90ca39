import { describe, expect, it } from 'vitest';
import { javaText } from '../../../src/simulation/metrics/java-text.js';

describe('values as Java prints them', () => {
  it.each([
    ['long', 0, '0'],
    ['long', 1795957751957.9, '1795957751957'],
    ['long', -9223372036854775808, '-9223372036854775808'],
    ['long', 9223372036854775807, '9223372036854775807'],
    ['long', 4.6e17, '460000000000000000'],
    ['long', -0, '0'],
    ['double', 0, '0.0'],
    ['double', 14, '14.0'],
    ['double', 197034.21666666667, '197034.21666666667'],
    ['double', 0.04478301015697138, '0.04478301015697138'],
    ['double', 8.642678467421307e-4, '8.642678467421307E-4'],
    ['double', 1e7, '1.0E7'],
    ['double', 4.678945798e10, '4.678945798E10'],
    ['double', 0.001, '0.001'],
    ['double', -3, '-3.0'],
    ['double', 9999999, '9999999.0'],
    ['double', NaN, 'NaN'],
    ['float', 1 / 6, '0.16666667'],
    ['float', 0.1, '0.1'],
    ['float', 1, '1.0'],
    ['float', 2 / 3, '0.6666667'],
    ['float', 0, '0.0'],
    ['float', 1e-4, '1.0E-4'],
    ['boolean', true, 'true'],
    ['text', 'n/a', 'n/a'],
  ] as const)('%s %s', (type, value, text) => {
    expect(javaText(type, value)).toBe(text);
  });
});
