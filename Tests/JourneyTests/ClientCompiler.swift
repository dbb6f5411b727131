import Foundation
import PhotolalaTesting

/// The compilers that `scripts/install-clients` installs.
enum ClientCompiler {
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
