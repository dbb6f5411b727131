import ArgumentParser
import Foundation
import PhotolalaTesting
import Synchronization
import Testing

@testable import photolala

/// `photolala service`: the files for systemd and launchd, and the calls of their programs.
@Suite struct SyncServiceTests {
    private static let unusual = "/home/Bob's \"100%\" \\ $HOME/ü\n#;"

    private static func service(_ folder: String = "/home/bob/Pictures", options: [String] = []) -> SyncService {
        SyncService(folder: folder, program: "/usr/bin/photolala", options: options)
    }

    @Test func `the unit runs the sync, and is not restarted where that does not help`() {
        let lines = SystemdUnit.text(of: Self.service(options: ["--bwlimit", "2MB"])).split(separator: "\n")
        #expect(lines.first == "# Written by `photolala service install`.")
        #expect(
            lines.contains(
                #"ExecStart="/usr/bin/photolala" "sync" "/home/bob/Pictures" "--watch" "--bwlimit" "2MB""#))
        #expect(lines.contains("Restart=on-failure") && lines.contains("SuccessExitStatus=130"))
        #expect(lines.contains("RestartPreventExitStatus=3 5 64 65"))
    }

    @Test func `arguments are quoted so that systemd reads them unchanged`() {
        #expect(
            SystemdUnit.quoted(Self.unusual) == #""/home/Bob's \"100%%\" \\ $$HOME/ü\n#;""#)
        #expect(SystemdUnit.quoted("/a$b", isProgram: true) == #""/a$b""#)
        #expect(SystemdUnit.quoted("\u{1}\u{7f}") == #""\x01\x7f""#)
    }

    /// Whether systemd accepts the unit; only its own parser knows.
    @Test(
        "systemd accepts the unit of an unusual folder",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze"), "no systemd-analyze"))
    func verify() async throws {
        let folder = try TemporaryFolder()
        let service = SyncService(folder: Self.unusual, program: "/usr/bin/env", options: ["--exclude", "*.tif"])
        let file = folder.subpath("\(service.name).service")
        try Data(SystemdUnit.text(of: service).utf8).write(to: URL(filePath: file))
        let run = try await ChildProcess.run(
            URL(filePath: "/usr/bin/systemd-analyze"), ["verify", "--user", "--man=no", file],
            environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "PATH": "/usr/bin:/bin"])
        #expect(run.status == 0 && !run.output.contains(service.name), "\(run.output)")
    }

    @Test func `the property list has the same words`() throws {
        let service = Self.service("/home/<Bob & Co>/Pictures")
        let text = LaunchAgent.text(of: service, log: "/log")
        let plist = try #require(
            PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? [String: Any])
        #expect(plist["ProgramArguments"] as? [String] == service.command)
        #expect(plist["Label"] as? String == service.name && plist["RunAtLoad"] as? Bool == true)
        #expect((plist["KeepAlive"] as? [String: Bool]) == ["SuccessfulExit": false])
    }

    @Test func `each path has a name of its own, of letters, digits and hyphens`() {
        let paths = [
            "/", "/a/Pictures", "/b/Pictures", "/a/pictures", Self.unusual, "/\(String(repeating: "x", count: 300))",
        ]
        let names = paths.map(SyncService.name(of:))
        #expect(Set(names).count == paths.count)
        for name in names { #expect(name.wholeMatch(of: /photolala-sync-[a-z0-9-]{16,49}/) != nil, "\(name)") }
        #expect(SyncService.name(of: "/a/Pictures").hasPrefix("photolala-sync-pictures-"))
        #expect(SyncService.name(of: "/a/Pictures") == SyncService.name(of: "/a/Pictures"))
    }

    /// All options of a sync, with other values than the defaults.
    private static let options = [
        "--up-only", "--yes", "--every", "60", "--all-thumbnails", "--no-previews", "--preview-quality", "70",
        "--exclude", "-x",
        "--exclude", "*.tif", "--exclude-from", "/patterns", "--include", "2024", "--parallel", "3", "--verbose",
        "--stall-timeout", "90", "--bwlimit", "08:00,500kB 23:00,off", "--quiet",
    ]

    @Test func `the service keeps every option of the sync`() throws {
        let parsed = try SyncFolderOptions.parse(Self.options)
        #expect(parsed.arguments == Self.options)
        #expect(try SyncFolderOptions.parse([]).arguments.isEmpty)
        #expect(try SyncFolderOptions.parse(["--no-thumbnails"]).arguments == ["--no-thumbnails"])
        #expect(try SyncFolderOptions.parse(["--down-only"]).arguments == ["--down-only"])
        #expect(try SyncFolderOptions.parse(["--exclude-from", "a"]).arguments.last?.hasPrefix("/") == true)
        // A new option must be added to the arguments.
        let help = SyncFolderOptions.helpMessage(columns: 200)
        let names = Set(help.matches(of: /--[a-z-]+/).map { String($0.output) })
        #expect(
            names.subtracting(["--help", "--watch", "--new-thumbnails", "--no-thumbnails", "--down-only"]).subtracting(
                Self.options)
                == [])
    }

    @Test func `the service gets the profile, and the server of the environment`() throws {
        let environment = ["PHOTOLALA_SERVER": "https://a.example", "PHOTOLALA_PROFILE_DIR": "/p"]
        let profile = ["--profile-dir", "/p"]
        let common = try CommonOptions.parse([])
        #expect(common.serviceArguments(environment: environment) == profile + ["--server", "https://a.example"])
        #expect(common.serviceArguments(environment: ["PHOTOLALA_PROFILE_DIR": "/p"]) == profile)
        #expect(
            common.serviceArguments(environment: ["PHOTOLALA_PROFILE_DIR": "/p", "PHOTOLALA_SERVER": ""]) == profile)
        let given = try CommonOptions.parse(["--server", "http://b.example", "--allow-plain-http"])
        #expect(
            given.serviceArguments(environment: environment)
                == profile + ["--server", "http://b.example", "--allow-plain-http"])
    }

    /// Records the calls of the system's program, which has an exit status.
    private final class Calls: Sendable {
        private let all = Mutex<[String]>([])
        let status: Int32?

        init(status: Int32?) { self.status = status }

        var lines: [String] { all.withLock { $0 } }

        func run(_ words: [String]) -> Int32? {
            all.withLock { $0.append(words.joined(separator: " ")) }
            return status
        }
    }

    @Test func `systemd reloads, enables and restarts the unit, and disables it before the removal`() throws {
        let folder = try TemporaryFolder()
        let calls = Calls(status: 0)
        let manager = UserServices(.systemd, environment: ["HOME": folder.path]) { calls.run($0) }
        let service = Self.service()
        #expect(try manager.install(service).isEmpty)
        #expect(
            try String(contentsOfFile: manager.file(of: service.name), encoding: .utf8) == SystemdUnit.text(of: service)
        )
        #expect(manager.file(of: service.name) == "\(folder.path)/.config/systemd/user/\(service.name).service")
        let unit = "\(service.name).service"
        #expect(
            calls.lines == [
                "systemctl --user daemon-reload", "systemctl --user enable \(unit)", "systemctl --user restart \(unit)",
            ])
        #expect(try manager.installed().map(\.state) == [.running])
        #expect(try manager.uninstall(service.name) == [])
        #expect(calls.lines.suffix(2) == ["systemctl --user disable --now \(unit)", "systemctl --user daemon-reload"])
        #expect(try manager.installed().isEmpty && manager.uninstall(service.name) == nil)
    }

    @Test func `without systemctl the commands are returned, and the state is unknown`() throws {
        let folder = try TemporaryFolder()
        let manager = UserServices(.systemd, environment: ["HOME": "/none", "XDG_CONFIG_HOME": folder.path]) { _ in
            nil
        }
        let service = Self.service()
        let rest = try manager.install(service)
        #expect(rest.map { $0[2] } == ["daemon-reload", "enable", "restart"])
        #expect(manager.file(of: service.name).hasPrefix(folder.path))
        #expect(try manager.installed().map(\.state) == [.unknown])
        #expect(ServiceText.commands(rest).count == 4)
    }

    @Test func `launchd loads the agent, after it unloaded an older one`() throws {
        let folder = try TemporaryFolder()
        let calls = Calls(status: 0)
        let manager = UserServices(.launchd, environment: ["HOME": folder.path]) { calls.run($0) }
        let (service, domain) = (Self.service(), "gui/\(geteuid())")
        for _ in 1...2 { #expect(try manager.install(service).isEmpty) }
        let load = "launchctl bootstrap \(domain) \(folder.path)/Library/LaunchAgents/\(service.name).plist"
        #expect(calls.lines == [load, "launchctl bootout \(domain)/\(service.name)", load])
    }

    @Test func `a file of another origin is neither replaced nor removed`() throws {
        let folder = try TemporaryFolder()
        let calls = Calls(status: 3)
        let manager = UserServices(.systemd, environment: ["HOME": folder.path]) { calls.run($0) }
        let service = Self.service()
        _ = try manager.install(service)
        #expect(try manager.installed().map(\.state) == [.stopped])
        let file = manager.file(of: service.name)
        try Data("[Unit]\n".utf8).write(to: URL(filePath: file))
        #expect(throws: CommandFailure.self) { try manager.install(service) }
        #expect(throws: CommandFailure.self) { try manager.uninstall(service.name) }
        #expect(try manager.installed().isEmpty)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "[Unit]\n")
    }
}
