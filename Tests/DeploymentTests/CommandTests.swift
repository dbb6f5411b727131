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

    @Test(
        "the configuration of SeaweedFS has roles that trust the server without an external id",
        .enabled("scripts/install-clients installs a Python") { Self.python != nil }
    )
    func seaweedFS() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "configure-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = Self.root.appending(path: "deploy/seaweedfs/configure").path
        let (status, output) = try await ChildProcess.run(try #require(Self.python), [script, folder.path])
        #expect(status == 0, "\(output)")
        struct Access: Decodable {
            struct Role: Decodable { let trustPolicy: IAMPolicy }
            let roles: [Role]
        }
        let access = try JSONDecoder().decode(
            Access.self, from: try Data(contentsOf: folder.appending(path: "iam.json")))
        let statements = access.roles.flatMap(\.trustPolicy.Statement)
        #expect(
            statements.map(\.Principal?.texts) == [
                ["arn:aws:iam::000000000000:user/service"], ["arn:aws:iam::000000000000:user/service"],
            ])
        #expect(statements.allSatisfy { $0.Effect == "Allow" && $0.Condition == nil })
        let settings = try String(contentsOf: folder.appending(path: "photolala.env"), encoding: .utf8)
        #expect(!settings.contains("EXTERNAL_ID") && !settings.contains("{"))
    }

    @Test("every placeholder has a value, and the manual mentions every file")
    func placeholders() throws {
        let manual = try String(contentsOf: Deployment.folder.appending(path: "README.md"), encoding: .utf8)
        let script = try String(contentsOf: Deployment.folder.appending(path: "fill"), encoding: .utf8)
        let files = try FileManager.default.contentsOfDirectory(atPath: Deployment.folder.path)
            .filter { $0.hasSuffix(".json") }
        #expect(files.count == 12)
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
