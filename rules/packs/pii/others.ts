import ipaddr from "ipaddr.js";
import { hitsOf } from "../../scan/hits.ts";
import type { Span } from "../../scan/span.ts";

const span = (kind: string, start: number, end: number, confidence: number): Span => ({
  class: kind,
  start,
  end,
  confidence,
  encodings: [],
});

const fourNumbers = /(?<![0-9A-Za-z.-])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![0-9A-Za-z.-])/g;

/** Public IPv4 addresses: those of the private network say nothing of a person. */
export const addressesIn = (text: string): readonly Span[] =>
  hitsOf(fourNumbers, text).flatMap(({ start, end, text: address }) =>
    ipaddr.IPv4.isValidFourPartDecimal(address) && ipaddr.IPv4.parse(address).range() === "unicast"
      ? [span("ipv4", start, end, 0.85)]
      : [],
  );

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html: those that name an account. */
const arn = /arn:aws[a-z-]{0,12}:[a-z0-9-]{2,32}:[a-z0-9-]{0,20}:[0-9]{12}:[\w/.:*+=,@-]{1,256}/g;
export const arnsIn = (text: string): readonly Span[] =>
  text.includes("arn:aws") ? hitsOf(arn, text).map(({ start, end }) => span("aws_arn", start, end, 0.95)) : [];

const date =
  /(?<![0-9A-Za-z-])(?:(?:19|20)[0-9]{2}[-/.](?:0?[1-9]|1[0-2])[-/.](?:[12][0-9]|3[01]|0?[1-9])|(?:[12][0-9]|3[01]|0?[1-9])[-/.](?:[12][0-9]|3[01]|0?[1-9])[-/.](?:19|20)[0-9]{2})(?![0-9A-Za-z])/g;
const birth = /birth|\bd\.?o\.?b\b|\bborn\b|geburt|geboren/i;

/** Dates of birth: dates where something says so. */
export const birthDatesIn = (text: string, name: string): readonly Span[] => {
  const isNamed = birth.test(name);
  if (!isNamed && !birth.test(text)) return [];
  return hitsOf(date, text).flatMap(({ start, end }) =>
    isNamed || birth.test(text.slice(Math.max(0, start - 18), start)) ? [span("birth_date", start, end, 0.85)] : [],
  );
};

const passport = /(?<![A-Za-z0-9])[A-Z]{0,2}[0-9]{6,9}(?![A-Za-z0-9])/g;
const passportContext = /passport|reisepass|passeport/i;

/** Numbers of passports, where something says so. */
export const passportsIn = (text: string, name: string): readonly Span[] => {
  const isNamed = passportContext.test(name);
  if (!isNamed && !passportContext.test(text)) return [];
  return hitsOf(passport, text).flatMap(({ start, end }) =>
    isNamed || passportContext.test(text.slice(Math.max(0, start - 32), start))
      ? [span("passport", start, end, 0.8)]
      : [],
  );
};
