// A server with the tools, resources and prompts that the official MCP conformance suite asks for.
//   node server.mjs stdio
//   node server.mjs http      prints `listening on <url>` on stderr
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

/** One red pixel, and a WAV without a sample. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

const text = (words) => ({ type: "text", text: words });
const answer = (words) => ({ content: [text(words)] });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const nothing = { type: "object", properties: {} };
const oneText = (name) => ({ type: "object", properties: { [name]: { type: "string" } }, required: [name] });

const asked = async (elicit, message, properties, required) => {
  const requestedSchema = { type: "object", properties, ...(required === undefined ? {} : { required }) };
  const { action, content } = await elicit({ message, requestedSchema });
  return answer(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
};

const titled = (values, titles) => values.map((value, at) => ({ const: value, title: titles[at] }));

/** By name: the schema of its arguments, and what it does. */
const tools = {
  test_simple_text: [nothing, async () => answer("This is a simple text response for testing.")],
  test_image_content: [nothing, async () => ({ content: [{ type: "image", data: png, mimeType: "image/png" }] })],
  test_audio_content: [nothing, async () => ({ content: [{ type: "audio", data: wav, mimeType: "audio/wav" }] })],
  test_embedded_resource: [
    nothing,
    async () => ({
      content: [
        {
          type: "resource",
          resource: {
            uri: "test://embedded-resource",
            mimeType: "text/plain",
            text: "This is an embedded resource content.",
          },
        },
      ],
    }),
  ],
  test_multiple_content_types: [
    nothing,
    async () => ({
      content: [
        text("Multiple content types test:"),
        { type: "image", data: png, mimeType: "image/png" },
        {
          type: "resource",
          resource: {
            uri: "test://mixed-content-resource",
            mimeType: "application/json",
            text: JSON.stringify({ test: "data", value: 123 }),
          },
        },
      ],
    }),
  ],
  test_tool_with_logging: [
    nothing,
    async (_args, { sendNotification }) => {
      const log = (data) => sendNotification({ method: "notifications/message", params: { level: "info", data } });
      await log("Tool execution started");
      await pause(50);
      await log("Tool processing data");
      await pause(50);
      await log("Tool execution completed");
      return answer("Logged three times.");
    },
  ],
  test_error_handling: [
    nothing,
    async () => {
      throw new Error("This tool intentionally returns an error for testing");
    },
  ],
  test_tool_with_progress: [
    nothing,
    async (_args, { sendNotification, _meta }) => {
      for (const progress of [0, 50, 100]) {
        if (_meta?.progressToken !== undefined) {
          const params = { progressToken: _meta.progressToken, progress, total: 100 };
          await sendNotification({ method: "notifications/progress", params });
        }
        if (progress < 100) await pause(50);
      }
      return answer("Went from 0 to 100.");
    },
  ],
  test_sampling: [
    oneText("prompt"),
    async ({ prompt }, { server }) => {
      const messages = [{ role: "user", content: text(prompt) }];
      const { content } = await server.createMessage({ messages, maxTokens: 100 });
      return answer(`LLM response: ${content.type === "text" ? content.text : content.type}`);
    },
  ],
  test_elicitation: [
    oneText("message"),
    async ({ message }, { server }) => {
      const word = (description) => ({ type: "string", description });
      const properties = { username: word("User's response"), email: word("User's email address") };
      const requestedSchema = { type: "object", properties, required: ["username", "email"] };
      const { action, content } = await server.elicitInput({ message, requestedSchema });
      return answer(`User response: action: ${action}, content: ${JSON.stringify(content ?? {})}`);
    },
  ],
  test_elicitation_sep1034_defaults: [
    nothing,
    (_args, { server }) =>
      asked((params) => server.elicitInput(params), "Please look at the defaults.", {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      }),
  ],
  test_elicitation_sep1330_enums: [
    nothing,
    (_args, { server }) =>
      asked((params) => server.elicitInput(params), "Please choose.", {
        untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
        titledSingle: {
          type: "string",
          oneOf: titled(["value1", "value2", "value3"], ["First Option", "Second Option", "Third Option"]),
        },
        legacyEnum: {
          type: "string",
          enum: ["opt1", "opt2", "opt3"],
          enumNames: ["Option One", "Option Two", "Option Three"],
        },
        untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
        titledMulti: {
          type: "array",
          items: { anyOf: titled(["value1", "value2", "value3"], ["First Choice", "Second Choice", "Third Choice"]) },
        },
      }),
  ],
  json_schema_2020_12_tool: [
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
      },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
      additionalProperties: false,
    },
    async () => answer("It has a schema."),
  ],
};

const resources = {
  "test://static-text": ["text/plain", { text: "This is the content of the static text resource." }],
  "test://static-binary": ["image/png", { blob: png }],
  "test://watched-resource": ["text/plain", { text: "It can be watched." }],
};
const template = /^test:\/\/template\/([^/]{1,64})\/data$/;

const contentsOf = (uri) => {
  const id = template.exec(uri)?.[1];
  if (id !== undefined) {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return [{ uri, mimeType: "application/json", text: data }];
  }
  if (!Object.hasOwn(resources, uri)) throw new Error("no such resource");
  const [mimeType, content] = resources[uri];
  return [{ uri, mimeType, ...content }];
};

const said = (...contents) => ({ messages: contents.map((content) => ({ role: "user", content })) });
const needed = (name) => ({ name, required: true });

/** By name: its arguments, and what it says. */
const prompts = {
  test_simple_prompt: [[], () => said(text("This is a simple prompt for testing."))],
  test_prompt_with_arguments: [
    [needed("arg1"), needed("arg2")],
    ({ arg1, arg2 }) => said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  ],
  test_prompt_with_embedded_resource: [
    [needed("resourceUri")],
    ({ resourceUri: uri }) =>
      said(
        { type: "resource", resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." } },
        text("Please process the embedded resource above."),
      ),
  ],
  test_prompt_with_image: [
    [],
    () => said({ type: "image", data: png, mimeType: "image/png" }, text("Please analyze the image above.")),
  ],
};

const conformanceServer = () => {
  const server = new Server(
    { name: "conformance-server", version: "1.0.0" },
    {
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} },
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(tools).map(([name, [inputSchema]]) => ({
      name,
      description: `Of the conformance suite: ${name.replaceAll("_", " ")}.`,
      inputSchema,
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    if (!Object.hasOwn(tools, params.name)) throw new Error("no such tool");
    try {
      // What is asked of the client goes on the stream of the call.
      const options = { relatedRequestId: extra.requestId };
      const related = {
        createMessage: (request) => server.createMessage(request, options),
        elicitInput: (request) => server.elicitInput(request, options),
      };
      return await tools[params.name][1](params.arguments ?? {}, { ...extra, server: related });
    } catch (error) {
      return { isError: true, content: [text(error.message)] };
    }
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: Object.entries(resources).map(([uri, [mimeType]]) => ({
      uri,
      name: uri.slice("test://".length),
      description: "Of the conformance suite.",
      mimeType,
    })),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" }],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => ({ contents: contentsOf(params.uri) }));
  server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: Object.entries(prompts).map(([name, [args]]) => ({
      name,
      description: "Of the conformance suite.",
      arguments: args,
    })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    if (!Object.hasOwn(prompts, params.name)) throw new Error("no such prompt");
    return prompts[params.name][1](params.arguments ?? {});
  });
  server.setRequestHandler(CompleteRequestSchema, () => ({ completion: { values: [], total: 0, hasMore: false } }));
  server.setRequestHandler(SetLevelRequestSchema, () => ({}));
  return server;
};

const serveHttp = () => {
  const sessions = new Map();
  const http = createServer(async (request, response) => {
    let transport = sessions.get(request.headers["mcp-session-id"]);
    if (transport === undefined) {
      const { port } = http.address();
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, transport),
        enableDnsRebindingProtection: true,
        allowedHosts: [`127.0.0.1:${port}`, `localhost:${port}`],
      });
      await conformanceServer().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  http.listen(0, "127.0.0.1", () => process.stderr.write(`listening on http://127.0.0.1:${http.address().port}/mcp\n`));
};

if (process.argv[2] === "http") serveHttp();
else await conformanceServer().connect(new StdioServerTransport());
