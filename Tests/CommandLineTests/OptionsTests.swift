import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Options") struct OptionsTests {
    @Test("the server is chosen from the option, the environment, the profile and the default, in this order")
    func server() throws {
        let environment = ["PHOTOLALA_SERVER": "https://environment.example"]
        let named = try CommonOptions.parse(["--server", "https://option.example"])
        let plain = try CommonOptions.parse([])
        #expect(
            try named.serverAddress(environment: environment, stored: "https://kept.example").description
                == "https://option.example")
        #expect(
            try plain.serverAddress(environment: environment, stored: "https://kept.example").description
                == "https://environment.example")
        #expect(
            try plain.serverAddress(environment: [:], stored: "https://kept.example").description
                == "https://kept.example")
        #expect(
            try plain.serverAddress(environment: ["PHOTOLALA_SERVER": ""], stored: nil).description
                == "http://127.0.0.1:8080")
    }

    @Test("the name of a provider may be written with capitals")
    func provider() throws {
        #expect(try IdentityOptions.parse(["--provider", "Google"]).provider == .google)
        #expect(throws: (any Error).self) { try IdentityOptions.parse(["--provider", "goo gle"]) }
    }

    @Test("a folder that cannot be created is named with the system's reason")
    func uncreatableFolder() {
        #expect {
            try FileReplacement.createFolder(of: "/dev/null/folder/file")
        } throws: { error in
            (error as? CommandFailure)?.error.detail == "Cannot create /dev/null/folder: Not a directory."
        }
    }

    @Test(
        "suggested commands get the profile that was given, but not one from the environment",
        arguments: [
            ("Moved 1 file. To undo:  photolala undo", true), ("photolala signin", true), ("a\nphotolala signin", true),
            ("Nothing to undo.", false), ("This is photolala.", false), ("", false),
        ])
    func profileAdvice(_ text: String, _ isNeeded: Bool) throws {
        let named = try CommonOptions.parse(["--profile-dir", "/my option"])
        #expect(
            named.profileAdvice(for: text)
                == (isNeeded ? "Add to these commands:  --profile-dir '/my option'" : nil))
        #expect(try CommonOptions.parse([]).profileAdvice(for: text) == nil)
        var failure = CommandFailure("x", advice: [text])
        #expect(failure.withProfile(named).advice.count == (isNeeded ? 2 : 1))
        failure.isAdviceForOthers = true
        #expect(failure.withProfile(named).advice == [text])
    }

    @Test("the code of a server in pairing mode takes the place of its address")
    func pairing() throws {
        let code =
            "photolala-pair://192.168.1.20:8080/?key=\(String(repeating: "A", count: 43))&secret=abcdefghijklmnopqrstuv"
        let plain = try CommonOptions.parse([])
        let environment = ["PHOTOLALA_SERVER": code]
        let address = try plain.serverAddress(environment: environment, stored: "https://kept.example")
        let paired = try plain.pairedServer(environment: environment)
        #expect(address.description == "https://192.168.1.20:8080" && paired?.address == address)
        let other = try plain.pairedServer(environment: ["PHOTOLALA_SERVER": "https://photos.example"])
        #expect(other == nil)
        let error = #expect(throws: PhotolalaError.self) {
            _ = try CommonOptions.parse(["--server", "photolala-pair://x"]).serverAddress(environment: [:], stored: nil)
        }
        #expect(error?.code == .unusablePairingCode)
    }

    @Test("serve-webdav prints nothing only if the user knows its password and port")
    func quietWebDAV() throws {
        for (words, isValid) in [
            (["--quiet"], false), (["--quiet", "--password-file", "p", "--port", "0"], false),
            (["--quiet", "--password-file", "p"], true), (["--port", "0"], true),
        ] {
            let isParsed = (try? Photolala.parseAsRoot(["serve-webdav"] + words)) != nil
            #expect(isParsed == isValid, "\(words)")
        }
    }

    @Test("the profile folder is chosen from the option, the environment and the system's conventions, in this order")
    func folder() throws {
        let environment = ["PHOTOLALA_PROFILE_DIR": "/environment", "XDG_CONFIG_HOME": "/config"]
        let named = try CommonOptions.parse(["--profile-dir", "/option"])
        let plain = try CommonOptions.parse([])
        #expect(named.profileURL(environment: environment).path == "/option")
        #expect(plain.profileURL(environment: environment).path == "/environment")
        #expect(plain.profileURL(environment: ["XDG_CONFIG_HOME": "/config"]).path == "/config/photolala")
        #expect(plain.profileURL(environment: [:]).lastPathComponent == ".photolala")
    }

    @Test("plain http to another machine requires a flag")
    func plainHTTP() throws {
        let arguments = ["--server", "http://photos.example"]
        let error = #expect(throws: PhotolalaError.self) {
            _ = try CommonOptions.parse(arguments).serverAddress(environment: [:], stored: nil)
        }
        #expect(error?.code == .unusableAddress)
        let insisting = try CommonOptions.parse(arguments + ["--allow-plain-http"])
        #expect(try insisting.serverAddress(environment: [:], stored: nil).description == "http://photos.example")
    }

    @Test(
        "invalid usage exits with status 64",
        arguments: [
            ["signin", "--provider", "app le"], ["signin", "--provider", "email"],
            ["signin", "--provider", "apple", "--dev-user", "bob", "--id-token-file", "-"],
            ["signin", "--provider", "apple", "--dev-user", "../bob"], ["signin", "--challenge", "x"],
            ["devices", "remove", "not-an-id"], ["restore"], ["backup"], ["unlink"],
            ["credentials", "--format", "xml"],
            ["credentials", "--format", "env", "--json"], ["nonsense"],
            ["whoami", "--server", ""], ["whoami", "--profile-dir", ""], ["backup", ""], ["backup", "a", ""],
            ["backup", "--stall-timeout", "0", "a"], ["sync", "--stall-timeout", "3601", "a"],
            ["trash", "restore", "--id", "xyz", "a"], ["trash", "restore", "--id", "0123abcd"],
            ["trash", "restore", "--all", "--id", "0123abcd"],
            ["trash", "restore", "--all-versions", "--id", "0123abcd", "a"], ["sync"],
            ["sync", ""],
            ["sync", "a", "b"], ["sync", "a", "--watch", "--dry-run"], ["sync", "a", "--every", "0"],
            ["status", ""], ["restore", "--to", ""], ["unlink", ""], ["signin", "--provider", ""],
            ["signin", "--id-token-file", ""], ["signin", "--id-token-file", "-", "--challenge", ""],
            ["signup", "--name", ""], ["signup", "--name", "  "], ["signup", "--name", "a\u{1B}b"],
            ["signup", "--name", String(repeating: "x", count: 201)], ["signin", "--device-name", ""],
            ["signup", "--device-name", String(repeating: "x", count: 101)],
            ["list", "--since", "2024-02-30"], ["list", "--since", "2024-1"], ["list", "--since", "yesterday"],
            ["list", "--since", "2024", "--until", "2023"], ["list", "--larger", "big"], ["list", "--larger", "-1"],
            ["list", "--larger", "2MB", "--smaller", "1MB"], ["list", "--type", "nonsense"], ["list", "--limit", "0"],
            ["list", ""], ["list", "--name", ""], ["list", "--sort", "colour"], ["trash", "put"], ["trash", "restore"],
            ["trash", "put", "--yes"], ["trash", "restore", "--all", "a.jpg"], ["verify", "--all", "--sample", "5"],
            ["verify", "--sample", "0"], ["verify", "--sample", "101%"],
            ["restore", "--to", "a", "--speed", "bulk"], ["restore", "--to", "a", "--days", "3"],
            ["restore", "--to", "a", "--request-archived", "--days", "0"],
            ["restore", "--to", "a", "--request-archived", "--days", "366"],
            ["restore", "--to", "a", "--request-archived", "--speed", "fast"],
            ["preferences", "set", "autoBackup", "maybe"], ["preferences", "set", "wifiOnlyBackup", "1"],
            ["preferences", "set", "autoBackup", "true", "--text"],
        ]
    )
    func usage(_ arguments: [String]) {
        do {
            _ = try Photolala.parseAsRoot(arguments)
            Issue.record("an error was expected")
        } catch {
            #expect(Photolala.exitCode(for: error).rawValue == 64)
        }
    }

    @Test(
        "every subcommand accepts the common options",
        arguments: [
            ["signup"], ["signin"], ["link"], ["unlink", "google"], ["unlink", "google", "--undo"],
            ["reauthenticate"], ["whoami"], ["devices"],
            ["devices", "list"], ["devices", "remove", "01020304-0506-0708-090a-0b0c0d0e0f10"], ["signout"],
            ["backup", "folder"], ["repair-catalog"], ["list"], ["restore", "--to", "folder"], ["recall"], ["status"],
            ["verify"],
            ["trash"], ["trash", "list"], ["trash", "put", "a.jpg"], ["trash", "restore", "--all"],
            ["credentials"],
        ]
    )
    func common(_ command: [String]) throws {
        let options = ["--server", "https://photos.example", "--profile-dir", "/profile", "--json"]
        let parsed = try Photolala.parseAsRoot(command + options)
        let common = try #require((parsed as? any PhotolalaCommand)?.common)
        #expect(common.server == "https://photos.example")
        #expect(common.profileDir == "/profile")
        #expect(common.json)
    }
}
