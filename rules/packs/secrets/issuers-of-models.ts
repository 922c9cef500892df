import { hasDigit, isMixed, type Kind, likely, sure } from "./kind.ts";

/** Keys of services that run models and of what is built around them, by the prefix that their consoles print. */
export const modelIssuers: readonly Kind[] = [
  {
    class: "langsmith_key",
    leads: ["lsv2_"],
    pattern: /lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{8,16}/y,
    confidence: sure,
  },
  {
    class: "tavily_key",
    leads: ["tvly-"],
    pattern: /(?<![A-Za-z0-9])tvly-(?:dev-|prod-)?[A-Za-z0-9]{24,64}/y,
    confidence: sure,
    accepts: hasDigit,
  },
  {
    class: "nvidia_key",
    leads: ["nvapi-"],
    pattern: /(?<![A-Za-z0-9])nvapi-[\w-]{40,100}/y,
    confidence: sure,
    accepts: isMixed,
  },
  {
    class: "fireworks_key",
    leads: ["fw_"],
    pattern: /(?<![A-Za-z0-9_])fw_[A-Za-z0-9]{22,26}(?!\w)/y,
    confidence: likely,
    accepts: isMixed,
  },
  {
    class: "elevenlabs_key",
    leads: ["sk_"],
    pattern: /(?<![A-Za-z0-9_])sk_[0-9a-f]{48}(?!\w)/y,
    confidence: sure,
  },
  {
    class: "langfuse_key",
    leads: ["sk-lf-"],
    pattern: /(?<![A-Za-z0-9])sk-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/y,
    confidence: sure,
  },
  {
    class: "pinecone_key",
    leads: ["pcsk_"],
    pattern: /(?<![A-Za-z0-9_])pcsk_[A-Za-z0-9_]{40,100}/y,
    confidence: sure,
  },
];
