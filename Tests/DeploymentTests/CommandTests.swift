import Foundation
import PhotolalaTesting
import Testing

/// The commands in the operator's manual.
struct CommandTests {
    private static let root = Deployment.folder.deletingLastPathComponent().deletingLastPathComponent()

    /// A Python that has the AWS command line (`scripts/install-clients`).
    private static var python: URL? {
        let named = ProcessInfo.processInfo.environment["PHOTOLALA_CLIENTS_VENV"].map { URL(filePath: $0) }
        return [named, root.appending(path: ".venv/clients")].compactMap { $0?.appending(path: "bin/python") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    @Test(
        "the AWS command line accepts every command of the manual",
        .enabled("scripts/install-clients installs the AWS command line") { Self.python != nil }
    )
    func commands() async throws {
        let script = Self.root.appending(path: "scripts/check-deployment").path
        let (status, output) = try await ChildProcess.run(try #require(Self.python), [script])
        #expect(status == 0, "\(output)")
    }

    @Test("every placeholder has a value, and the manual mentions every file")
    func placeholders() throws {
        let manual = try String(contentsOf: Deployment.folder.appending(path: "README.md"), encoding: .utf8)
        let script = try String(contentsOf: Deployment.folder.appending(path: "fill"), encoding: .utf8)
        let files = try FileManager.default.contentsOfDirectory(atPath: Deployment.folder.path)
            .filter { $0.hasSuffix(".json") }
        #expect(files.count == 11)
        for file in files {
            #expect(manual.contains("`\(file)`") && manual.contains("file://\(file)"), "\(file)")
            let text = try String(contentsOf: Deployment.folder.appending(path: file), encoding: .utf8)
            for match in text.matches(of: /\{([A-Z_]+)\}/) {
                #expect(Deployment.values[String(match.1)] != nil, "\(file)")
                #expect(script.contains("{\(match.1)}") && manual.contains("\(match.1)="), "\(match.1)")
            }
        }
    }
}
