import Foundation
import PhotolalaClient
import PhotolalaTesting
import Testing

/// The clients in `clients/`, compiled and run against a real server and against broken ones.
@Suite(.serialized, .enabled(if: PythonClient.program != nil, "run scripts/install-clients"))
struct ClientJourneyTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL
    private static let support = root.appending(path: "Tests/Support/Clients")
    private static let clients = root.appending(path: "clients")

    @Test func `generated sources equal those of the OpenAPI document`() async throws {
        try await withTemporaryFolder { folder, _ in
            try await python([Self.root.appending(path: "scripts/client-types").path, "--check"], in: folder)
        }
    }

    @Test func `clients declare the document's schemas, members and operations`() async throws {
        try await withTemporaryFolder { folder, _ in
            try await python([Self.support.appending(path: "compare.py").path, Self.root.path], in: folder)
        }
    }

    @Test(.enabled(if: ClientCompiler.hasTypeScript, "run scripts/install-clients"))
    func `the TypeScript client does Bob's journey and withstands broken servers`() async throws {
        try await withTemporaryFolder { folder, transport in
            let project = Self.clients.appending(path: "typescript")
            let compiled = folder.appending(path: "dist")
            try await succeed(ClientCompiler.typeScript(["--project", project.path, "--outDir", compiled.path]))
            try #"{"type": "module"}"#.write(
                to: folder.appending(path: "package.json"), atomically: true, encoding: .utf8)
            try await checkTypeScriptExample(project, compiled, folder)
            let server = try await ServerProcess(data: folder.appending(path: "data"), transport: transport)
            for name in ["journey.mjs", "attacks.mjs"] {
                let script = Self.support.appending(path: name).path
                // Node 18 has no global WebCrypto without the flag.
                let variables = ["SERVER": server.address, "CLIENT": compiled.appending(path: "index.js").path]
                let output = try await succeed(
                    ClientCompiler.run("node", ["--experimental-global-webcrypto", script], variables))
                #expect(output.hasSuffix("DONE\n"), "\(output)")
            }
            #expect(server.stop() == 0)
        }
    }

    @Test(.enabled(if: ClientCompiler.hasKotlin, "run scripts/install-clients"))
    func `the Kotlin client does Bob's journey and withstands broken servers`() async throws {
        try await withTemporaryFolder { folder, transport in
            let example = folder.appending(path: "Example.kt")
            let code = try Self.example("kotlin")
            let imports = "import photolala.client.*\n"
            try "\(imports)fun askProvider(nonce: String) = nonce\n\(code)"
                .write(to: example, atomically: true, encoding: .utf8)
            let compiled = folder.appending(path: "classes")
            // The Android classes are stubs, and the Android Keystore is a fake.
            let stubs = Self.root.appending(path: "Tests/AndroidStubs")
            let sources = [Self.clients.appending(path: "kotlin/src"), Self.support, stubs, example]
            try await succeed(ClientCompiler.kotlin(sources, to: compiled))
            let server = try await ServerProcess(data: folder.appending(path: "data"), transport: transport)
            let classPath = ([compiled.path] + ClientCompiler.kotlinLibraries).joined(separator: ":")
            let variables = ["SERVER": server.address, "STORE": folder.appending(path: "store").path]
            let output = try await succeed(ClientCompiler.run("java", ["-cp", classPath, "JourneyKt"], variables))
            #expect(output.hasSuffix("DONE\n"), "\(output)")
            let conformance = try await succeed(
                ClientCompiler.run("java", ["-cp", classPath, "ConformanceKt"], variables))
            #expect(ClientConformance.steps(in: conformance) == ClientConformance.allCases, "\(conformance)")
            #expect(server.stop() == 0)
        }
    }

    @Test(
        "the TypeScript client makes the journey of all clients in Chromium, with Web Locks and without",
        .enabled(if: ClientCompiler.hasTypeScript && PythonClient.hasBrowser, "run scripts/install-clients"),
        arguments: ["locks", "lease"])
    func browser(_ exclusion: String) async throws {
        try await withTemporaryFolder { folder, transport in
            let compiled = folder.appending(path: "dist")
            let project = Self.clients.appending(path: "typescript")
            try await succeed(ClientCompiler.typeScript(["--project", project.path, "--outDir", compiled.path]))
            let port = try freePort()
            let origin = "http://127.0.0.1:\(port)"
            let server = try await ServerProcess(
                data: folder.appending(path: "data"), transport: transport, publicURL: origin,
                variables: ["PHOTOLALA_S3_CORS_ORIGINS": origin])
            let variables = [
                "SERVER": server.address, "PORT": "\(port)", "COMPILED": compiled.path, "EXCLUSION": exclusion,
                "PAGE": Self.support.appending(path: "conformance.mjs").path,
            ]
            let script = try String(contentsOf: Self.support.appending(path: "conformance.py"), encoding: .utf8)
            let output = try await succeed(PythonClient.run(script, variables, in: folder))
            #expect(ClientConformance.steps(in: output) == ClientConformance.allCases, "\(output)")
            #expect(server.stop() == 0)
        }
    }

    @Test(
        "the SDK makes the journey of all clients",
        .enabled(if: SDKConformance.isPossible, "libvips-tools is not installed"))
    func sdk() async throws {
        try await withTemporaryFolder { folder, transport in
            let server = try await ServerProcess(data: folder.appending(path: "data"), transport: transport)
            let network = PhotolalaNetwork()
            let done: Result<[ClientConformance], any Error>
            do {
                let journey = SDKConformance(server: server.address, folder: folder, network: network)
                done = .success(try await journey.run())
            } catch {
                done = .failure(error)
            }
            await network.close()
            #expect(try done.get() == ClientConformance.allCases)
            #expect(server.stop() == 0)
        }
    }

    private func checkTypeScriptExample(_ project: URL, _ compiled: URL, _ folder: URL) async throws {
        let file = folder.appending(path: "example.ts")
        let code = try Self.example("typescript").replacing("\"photolala-client\"", with: "\"./dist/index.js\"")
        try "declare function askProvider(options: { nonce: string }): Promise<string>;\n\(code)"
            .write(to: file, atomically: true, encoding: .utf8)
        try await succeed(
            ClientCompiler.typeScript([
                "--strict", "--noEmit", "--target", "ES2022", "--module", "ES2022", "--moduleResolution", "node",
                file.path,
            ]))
    }

    /// The example of a client's README.
    private static func example(_ language: String) throws -> String {
        let readme = try String(contentsOf: clients.appending(path: "\(language)/README.md"), encoding: .utf8)
        let parts = readme.components(separatedBy: "```")
        let block = try #require(parts.first { $0.hasPrefix("\(language)\n") })
        return String(block.dropFirst(language.count + 1))
    }

    private func python(_ arguments: [String], in folder: URL) async throws {
        let program = try #require(PythonClient.program)
        try await succeed(ChildProcess.run(program, arguments, environment: ["HOME": folder.path]))
    }

    @discardableResult
    private func succeed(_ run: (status: Int32, output: String)) -> String {
        #expect(run.status == 0, "\(run.output)")
        return run.output
    }
}
