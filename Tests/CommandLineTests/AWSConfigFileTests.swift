import Foundation
import PhotolalaTesting
import Testing

@testable import photolala

/// The profile that `photolala aws-profile` writes, and the file around it.
@Suite struct AWSConfigFileTests {
    private static func profile(
        _ name: String = "photolala", program: String = "/usr/bin/photolala", folder: String = "/home/bob/.photolala"
    ) -> AWSProfile {
        AWSProfile(
            name: name, program: program, profile: folder, allowsPlainHTTP: false, region: "us-east-1",
            endpoint: "http://127.0.0.1:9000")
    }

    private static func text(_ file: AWSConfigFile) -> String { String(decoding: file.bytes, as: UTF8.self) }

    @Test func `the profile has the command, region, endpoint and settings of the store`() throws {
        #expect(
            try Self.profile().text() == """
                [profile photolala]
                credential_process = /usr/bin/photolala credentials --format process --profile-dir /home/bob/.photolala
                region = us-east-1
                endpoint_url = http://127.0.0.1:9000
                s3 =
                    signature_version = s3v4
                    addressing_style = path
                """)
        #expect(try Self.profile("default").text().hasPrefix("[default]\n"))
    }

    @Test func `a path is quoted for a shell, and no parser of the file ends it`() throws {
        let line = try Self.profile(folder: "/home/Bob's #1 $HOME; x").text().split(separator: "\n")[1]
        #expect(line.hasSuffix(#" --profile-dir '/home/Bob'\''s ''#1 $HOME; x'"#))
        #expect(!line.contains(" #"))
        #expect(throws: CommandFailure.self) { try Self.profile(folder: "/home/a\nb").text() }
    }

    @Test(
        arguments: [
            "", "[default]\nregion = eu-west-1\n", "[default]\nregion = eu-west-1",
            "# mine\r\n[profile a]\r\nx = 1\r\n\r\n",
            "[profile b]\n s3 =\n   x = 1\n\n\n", "\u{FEFF}[profile ü]\n",
        ])
    func `a new profile is added at the end, and its removal restores the file`(_ old: String) throws {
        var file = AWSConfigFile(Data(old.utf8))
        let new = Data("\(try Self.profile().text())\n".utf8)
        #expect(file.bytes == Data(old.utf8))
        try file.set("photolala", to: try Self.profile().text(), replacing: false)
        #expect(file.bytes.starts(with: Data(old.utf8)))
        // Bytes: a carriage return and a line feed are one character.
        #expect(file.bytes.suffix(new.count) == new && (old.isEmpty || file.bytes.dropLast(new.count).last == 0x0a))
        #expect(try file.remove("photolala", replacing: false))
        #expect(Self.text(file).trimmingCharacters(in: .newlines) == old.trimmingCharacters(in: .newlines))
        #expect(try !file.remove("photolala", replacing: false))
    }

    @Test func `a profile of this command is replaced where it is, and bytes around it stay`() throws {
        let before = Data("[default]\nx = \u{E9}\n\n".unicodeScalars.map { UInt8($0.value) })
        let after = Data("\n; of the next\n[profile next]\nregion=x".utf8)
        let header = Data("[ profile  \"photolala\" ]  # a comment\n".utf8)
        let old = Data("credential_process=/old/photolala credentials --format process\nregion = x\n".utf8)
        var file = AWSConfigFile(before + header + old + after)
        try file.set("photolala", to: try Self.profile().text(), replacing: false)
        #expect(file.bytes == before + Data("\(try Self.profile().text())\n".utf8) + after)
    }

    @Test(
        arguments: [
            "", "region = x", "credential_process = /bin/other", "# a comment",
            "credential_process = /bin/photolala credentials --format process\noutput = json",
            "credential_process = /bin/photolala credentials --format process\ns3 =\n  use_dualstack_endpoint = true",
            "credential_process = /bin/photolala credentials --format process\nsso_session",
        ])
    func `a profile with other settings is replaced and removed only on request`(_ settings: String) throws {
        let old = Data("[profile photolala]\n\(settings)\n[profile next]\n".utf8)
        var file = AWSConfigFile(old)
        #expect(throws: CommandFailure.self) { try file.set("photolala", to: "new", replacing: false) }
        #expect(throws: CommandFailure.self) { try file.remove("photolala", replacing: false) }
        #expect(file.bytes == old)
        try file.set("photolala", to: "new", replacing: true)
        #expect(Self.text(file).hasPrefix("new\n") && Self.text(file).hasSuffix("[profile next]\n"))
    }

    @Test func `a profile that stands twice in the file is refused`() throws {
        var file = AWSConfigFile(Data("[profile photolala]\n[profile photolala]\n".utf8))
        #expect(throws: CommandFailure.self) { try file.set("photolala", to: "new", replacing: true) }
    }

    @Test func `the file keeps its mode and the link to it, and a new one is private`() throws {
        let folder = try TemporaryFolder()
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: folder.subpath(path))[.posixPermissions] as? Int
        }
        try AWSConfigLocation(environment: ["HOME": folder.path]).change { try $0.set("a", to: "a", replacing: false) }
        #expect(try mode(".aws/config") == 0o600 && mode(".aws") == 0o700)
        try folder.write("dotfiles", Array("old\n".utf8))
        chmod(folder.subpath("dotfiles"), 0o640)
        try FileManager.default.createSymbolicLink(
            atPath: folder.subpath("link"), withDestinationPath: folder.subpath("dotfiles"))
        let linked = try AWSConfigLocation(environment: ["HOME": folder.path, "AWS_CONFIG_FILE": "~/link"])
        try linked.change { try $0.set("a", to: "a", replacing: false) }
        #expect(try String(contentsOfFile: folder.subpath("dotfiles"), encoding: .utf8) == "old\n\na\n")
        #expect(try mode("dotfiles") == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.subpath("link")).hasSuffix("dotfiles"))
    }

    @Test func `a link to a missing file creates that file, unless its folder is missing too`() throws {
        let folder = try TemporaryFolder()
        let target = folder.subpath("dotfiles/aws")
        for (link, destination) in [("link", "chain"), ("chain", "dotfiles/aws")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.subpath(link), withDestinationPath: destination)
        }
        let location = try AWSConfigLocation(environment: ["AWS_CONFIG_FILE": folder.subpath("link")])
        let failure = #expect(throws: CommandFailure.self) {
            try location.change { try $0.set("a", to: "a", replacing: false) }
        }
        #expect(failure?.error.detail.contains("link to \(target), whose folder does not exist") == true)
        #expect(!FileManager.default.fileExists(atPath: folder.subpath("dotfiles")))
        try FileManager.default.createDirectory(atPath: folder.subpath("dotfiles"), withIntermediateDirectories: false)
        try location.change { try $0.set("a", to: "a", replacing: false) }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "a\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.subpath("link")) == "chain")
    }

    @Test func `a link to itself is refused and stays`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.subpath("self"), withDestinationPath: "self")
        let failure = #expect(throws: CommandFailure.self) {
            _ = try AWSConfigLocation(environment: ["AWS_CONFIG_FILE": folder.subpath("self")])
        }
        #expect(failure?.error.detail == "Cannot use \(folder.subpath("self")): the link leads to itself.")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.subpath("self")) == "self")
    }

    @Test func `a name with keys in the credentials file is refused`() throws {
        let folder = try TemporaryFolder()
        let location = try AWSConfigLocation(
            environment: ["AWS_SHARED_CREDENTIALS_FILE": folder.subpath("credentials"), "HOME": folder.path])
        try location.requireNoKeys(for: "photolala")
        try folder.write("credentials", Array("[other]\naws_access_key_id = x\n [photolala] \n".utf8))
        #expect(throws: CommandFailure.self) { try location.requireNoKeys(for: "photolala") }
        try location.requireNoKeys(for: "another")
    }

    @Test func `the program is named by the path under which it was started`() throws {
        let folder = try TemporaryFolder()
        for name in ["cellar", "other"] { try folder.write(name, []) }
        for name in ["cellar", "other"] { chmod(folder.subpath(name), 0o700) }
        try FileManager.default.createDirectory(atPath: folder.subpath("bin"), withIntermediateDirectories: false)
        let link = folder.subpath("bin/photolala")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.subpath("cellar"))
        func find(_ name: String, _ executable: String = "cellar") -> String {
            ThisProgram.find(
                name, in: "relative:\(folder.path)/none:\(folder.path)/bin", folder: folder.path,
                executable: folder.subpath(executable))
        }
        #expect(find("photolala") == link)
        #expect(find("bin/photolala") == link)
        #expect(find("./bin/../cellar") == folder.subpath("cellar"))
        #expect(find(link) == link)
        #expect(find("photolala", "other") == folder.subpath("other"))
        #expect(find("missing") == folder.subpath("cellar"))
    }
}
