import Foundation
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

    @Test(.enabled(if: Compiler.hasTypeScript, "run scripts/install-clients"))
    func `the TypeScript client does Bob's journey and withstands broken servers`() async throws {
        try await withTemporaryFolder { folder, transport in
            let project = Self.clients.appending(path: "typescript")
            let compiled = folder.appending(path: "dist")
            try await succeed(Compiler.typeScript(["--project", project.path, "--outDir", compiled.path]))
            try #"{"type": "module"}"#.write(
                to: folder.appending(path: "package.json"), atomically: true, encoding: .utf8)
            try await checkTypeScriptExample(project, compiled, folder)
            let server = try await ServerProcess(data: folder.appending(path: "data"), transport: transport)
            for name in ["journey.mjs", "attacks.mjs"] {
                let script = Self.support.appending(path: name).path
                // Node 18 has no global WebCrypto without the flag.
                let variables = ["SERVER": server.address, "CLIENT": compiled.appending(path: "index.js").path]
                let output = try await succeed(
                    Compiler.run("node", ["--experimental-global-webcrypto", script], variables))
                #expect(output.hasSuffix("DONE\n"), "\(output)")
            }
            #expect(server.stop() == 0)
        }
    }

    @Test(.enabled(if: Compiler.hasKotlin, "run scripts/install-clients"))
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
            try await succeed(Compiler.kotlin(sources, to: compiled))
            let server = try await ServerProcess(data: folder.appending(path: "data"), transport: transport)
            let classPath = ([compiled.path] + Compiler.kotlinLibraries).joined(separator: ":")
            let output = try await succeed(
                Compiler.run("java", ["-cp", classPath, "JourneyKt"], ["SERVER": server.address]))
            #expect(output.hasSuffix("DONE\n"), "\(output)")
            #expect(server.stop() == 0)
        }
    }

    private func checkTypeScriptExample(_ project: URL, _ compiled: URL, _ folder: URL) async throws {
        let file = folder.appending(path: "example.ts")
        let code = try Self.example("typescript").replacing("\"photolala-client\"", with: "\"./dist/index.js\"")
        try "declare function askProvider(options: { nonce: string }): Promise<string>;\n\(code)"
            .write(to: file, atomically: true, encoding: .utf8)
        try await succeed(
            Compiler.typeScript([
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

/// The compilers that `scripts/install-clients` installs.
private enum Compiler {
    static let hasTypeScript = InstalledClients.folder(with: "typescript/bin/tsc") != nil && isInstalled("node")
    static let hasKotlin = kotlinFolder != nil && isInstalled("java")
    static let kotlinLibraries = ["stdlib", "serialization-core", "serialization-json"].map(jar)
    private static let kotlinFolder = InstalledClients.folder(with: "bin/python").map { $0.appending(path: "kotlin") }
        .flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }

    static func typeScript(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        let folder = InstalledClients.folder(with: "typescript/bin/tsc")?.path ?? ""
        return try await run("node", ["\(folder)/typescript/bin/tsc"] + arguments, [:])
    }

    static func kotlin(_ sources: [URL], to folder: URL) async throws -> (status: Int32, output: String) {
        let classPath = ["compiler", "stdlib", "script-runtime", "reflect"].map(jar).joined(separator: ":")
        let options = [
            "-Xmx1g", "-cp", classPath, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect",
            "-Xdisable-default-scripting-plugin", "-Xplugin=\(jar("serialization-plugin"))", "-Werror", "-jvm-target",
            "1.8",
            "-classpath", kotlinLibraries.joined(separator: ":"), "-d", folder.path,
        ]
        return try await run("java", options + sources.map(\.path), [:])
    }

    static func run(
        _ program: String, _ arguments: [String], _ variables: [String: String]
    ) async throws -> (status: Int32, output: String) {
        try await ChildProcess.run(URL(filePath: path(program)), arguments, environment: variables)
    }

    private static func path(_ program: String) -> String { "/usr/bin/\(program)" }

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: path(program))
    }

    private static func jar(_ name: String) -> String { kotlinFolder?.appending(path: "\(name).jar").path ?? "" }
}
