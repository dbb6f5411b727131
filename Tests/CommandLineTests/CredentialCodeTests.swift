import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaDirectFunctions
import PhotolalaTesting
import Testing

@testable import photolala

/// `photolala credential-code`.
@Suite struct CredentialCodeTests {
    private static let keyFile = """
        {"AccessKey": {"UserName": "photolala-app-prod", "AccessKeyId": "AKIAIOSFODNN7EXAMPLE", "Status": "Active",
         "SecretAccessKey": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "CreateDate": "2026-11-27T08:00:00Z"}}
        """

    private static func invoker(_ region: String) -> EmbeddedCredentials.Invoker {
        EmbeddedCredentials.Invoker(
            accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            region: region)
    }

    /// `GeneratedCredentials.swift` is compiled into these tests, which have the condition `DEBUG`.
    @Test func `the written file is the compiled one, and opens both environments`() throws {
        let sealed = try [(DeploymentEnvironment.prod, "eu-central-1"), (.stage, "us-east-1")].map {
            try EmbeddedCredentials.seal(
                Self.invoker($0.1), for: $0.0, randomness: .seeded($0.0 == .prod ? 1 : 2))
        }
        let compiled = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "GeneratedCredentials.swift"), encoding: .utf8)
        #expect(CredentialCode(sealed: sealed, condition: "DEBUG").text == compiled)
        #expect(try EmbeddedCredentials.photolala.open(.prod) == Self.invoker("eu-central-1"))
        #expect(try EmbeddedCredentials.photolala.open(.stage) == Self.invoker("us-east-1"))
    }

    @Test func `credentials of other environments than prod stand only under the condition`() throws {
        let sealed = try EmbeddedCredentials.seal(Self.invoker("eu-central-1"), for: .stage, randomness: .seeded(2))
        let text = CredentialCode(sealed: [sealed], condition: "INTERNAL").text
        let parts = text.components(separatedBy: "#if INTERNAL")
        #expect(parts.count == 2 && !parts[0].contains(sealed.box))
        let branches = try #require(parts.last).components(separatedBy: "#else")
        #expect(branches.count == 2 && branches[0].contains(sealed.box) && !branches[1].contains(sealed.box))
    }

    @Test func `a run writes a private file, replaces it, and never another one`() async throws {
        let folder = try TemporaryFolder()
        let (keys, output) = ("\(folder.path)/key.json", "\(folder.path)/Credentials.swift")
        try Data(Self.keyFile.utf8).write(to: URL(filePath: keys))
        let arguments = ["prod=\(keys)", "--region", "eu-central-1", "--output", output]
        try folder.write("Credentials.swift.unfinished", [1])
        try await CredentialCodeCommand.parse(arguments).run()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names) == ["key.json", "Credentials.swift", "Credentials.swift.unfinished"])
        let first = try String(contentsOfFile: output, encoding: .utf8)
        let mode = try FileManager.default.attributesOfItem(atPath: output)[.posixPermissions] as? Int
        #expect(mode == 0o600 && first.contains("Sealed(.prod,") && !first.contains("AKIA"))
        try await CredentialCodeCommand.parse(arguments).run()
        #expect(try String(contentsOfFile: output, encoding: .utf8) != first)
        try Data("// mine".utf8).write(to: URL(filePath: output))
        await #expect(throws: ExitCode(1)) { try await CredentialCodeCommand.parse(arguments).run() }
        #expect(try String(contentsOfFile: output, encoding: .utf8) == "// mine")
    }

    @Test func `a link, a pipe and one key for two environments are refused`() async throws {
        let folder = try TemporaryFolder()
        let (keys, target) = ("\(folder.path)/key.json", "\(folder.path)/target")
        try Data(Self.keyFile.utf8).write(to: URL(filePath: keys))
        try Data(CredentialCode.firstLine.utf8).write(to: URL(filePath: target))
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: target)
        #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0)
        for output in ["link", "pipe"] {
            let arguments = ["prod=\(keys)", "--region", "eu-west-1", "--output", "\(folder.path)/\(output)"]
            await #expect(throws: ExitCode(1)) { try await CredentialCodeCommand.parse(arguments).run() }
        }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == CredentialCode.firstLine)
        let same = ["prod=\(keys)", "stage=\(keys)", "--region", "eu-west-1", "--output", "\(folder.path)/new"]
        await #expect(throws: ExitCode(1)) { try await CredentialCodeCommand.parse(same).run() }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/new"))
    }

    @Test(
        "usage errors",
        arguments: [
            (["prod=a"], "--region is required for prod."), (["prod=a", "prod=b", "--region", "eu-west-1"], "once"),
            (["prod=-", "stage=-", "--region", "eu-west-1"], "Only one key can be read from standard input."),
            (["dev=a", "--region", "eu-west-1"], "dev=a"), (["prod", "--region", "eu-west-1"], "prod"),
            (["prod=", "--region", "eu-west-1"], "prod="),
            (["prod=a", "--region", "Frankfurt"], "not an AWS region"),
            (["prod=a", "--region", "test=eu-west-1"], "does not begin with prod= or stage="),
            (["prod=a", "stage=b", "--region", "stage=eu-west-1"], "--region is required for prod."),
            (["prod=a", "--region", "eu-west-1", "--condition", "A&&B"], "upper-case"),
            (["prod=a", "--region", "eu-west-1", "--condition", "true"], "upper-case"),
            (["prod=a", "--region", "eu-west-1", "--condition", "SWIFT_PACKAGE"], "SWIFT_PACKAGE"),
        ])
    func usage(arguments: [String], reason: String) throws {
        let error = #expect(throws: (any Error).self) {
            _ = try CredentialCodeCommand.parse(arguments + ["--output", "x.swift"])
        }
        #expect(CredentialCodeCommand.message(for: try #require(error)).contains(reason))
    }

    @Test(
        "unusable key files",
        arguments: [
            ("", "does not contain the output"),
            (#"{"AccessKeyId":"AKIAIOSFODNN7EXAMPLE"}"#, "does not contain the output"),
            (keyFile.replacingOccurrences(of: "AKIA", with: "ASIA"), "contains temporary credentials"),
            (keyFile.replacingOccurrences(of: "AKIAIOS", with: "AKIA IOS"), "has a malformed access key id"),
            (keyFile.replacingOccurrences(of: "wJalr", with: "wJ\\\"\\n"), "has a malformed secret access key"),
        ])
    func keyFiles(text: String, reason: String) throws {
        let problem = #expect(throws: AccessKeyFile.Problem.self) { _ = try AccessKeyFile(Data(text.utf8)) }
        #expect(problem?.text.contains(reason) == true)
    }
}
