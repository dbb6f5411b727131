import Foundation

/// The program of the system that starts services of one user.
struct UserServices: Sendable {
    enum Kind: Sendable {
        case systemd, launchd
    }

    enum State: String, Encodable {
        case running, stopped, unknown
    }

    /// An installed service.
    struct Installed: Encodable {
        let name: String
        let file: String
        let state: State
    }

    let kind: Kind
    /// The folder of the files of services.
    let folder: String
    private let home: String
    private let run: @Sendable ([String]) -> Int32?

    /// The exit status of `systemctl is-active` for a unit that is not active.
    private static let inactive: Int32 = 3
    private static let limit = 64 << 10

    static func ofThisMachine() -> UserServices {
        #if os(macOS)
            let kind = Kind.launchd
        #else
            let kind = Kind.systemd
        #endif
        return UserServices(kind, environment: ProcessInfo.processInfo.environment) { ExternalProgram.run($0) }
    }

    /// - Parameter run: Runs a program to its end and returns its exit status; `nil` if it is not installed.
    init(_ kind: Kind, environment: [String: String], run: @escaping @Sendable ([String]) -> Int32?) {
        (self.kind, self.run) = (kind, run)
        home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
        let config = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.config"
        folder = kind == .systemd ? "\(config)/systemd/user" : "\(home)/Library/LaunchAgents"
    }

    func file(of name: String) -> String { "\(folder)/\(name)\(suffix)" }

    func text(of service: SyncService) -> String {
        switch kind {
        case .systemd: SystemdUnit.text(of: service)
        case .launchd: LaunchAgent.text(of: service, log: "\(home)/Library/Logs/\(service.name).log")
        }
    }

    private var suffix: String { kind == .systemd ? ".service" : ".plist" }
    private var domain: String { "gui/\(geteuid())" }

    /// Writes the service's file and starts it. A service that runs is restarted.
    /// - Returns: Commands that the user has to run, because the system's program did not.
    func install(_ service: SyncService) throws -> [[String]] {
        let file = file(of: service.name)
        let isInstalled = FileManager.default.fileExists(atPath: file)
        if isInstalled { try requireOwn(file) }
        try FileReplacement.createFolder(of: file)
        try FileReplacement.write(Data(text(of: service).utf8), to: file, mode: 0o600)
        switch kind {
        case .systemd:
            let unit = service.name + suffix
            return remaining(of: [
                Self.systemctl("daemon-reload"), Self.systemctl("enable", unit), Self.systemctl("restart", unit),
            ])
        case .launchd:
            if isInstalled { _ = run(["launchctl", "bootout", "\(domain)/\(service.name)"]) }
            return remaining(of: [["launchctl", "bootstrap", domain, file]])
        }
    }

    /// Stops a service and removes its file.
    /// - Returns: Commands that the user has to run; `nil` if it was not installed.
    func uninstall(_ name: String) throws -> [[String]]? {
        let file = file(of: name)
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        try requireOwn(file)
        let stop =
            kind == .systemd
            ? Self.systemctl("disable", "--now", name + suffix) : ["launchctl", "bootout", "\(domain)/\(name)"]
        let rest = remaining(of: [stop])
        guard unlink(file) == 0 else {
            throw CommandFailure("Cannot remove \(file): \(String(cString: strerror(errno))).")
        }
        return rest + (kind == .systemd ? remaining(of: [Self.systemctl("daemon-reload")]) : [])
    }

    /// Returns the installed services, by name.
    func installed() throws -> [Installed] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return try names.filter { SyncService.isName($0) && $0.hasSuffix(suffix) }.sorted().compactMap { entry in
            let name = String(entry.dropLast(suffix.count))
            guard try isOwn(file(of: name)) else { return nil }
            return Installed(name: name, file: file(of: name), state: state(of: name))
        }
    }

    private func state(of name: String) -> State {
        let status =
            kind == .systemd
            ? run(Self.systemctl("is-active", "--quiet", name + suffix))
            : run(["launchctl", "print", "\(domain)/\(name)"])
        switch status {
        case 0: return .running
        case .some(let other) where kind == .launchd || other == Self.inactive: return .stopped
        default: return .unknown
        }
    }

    /// Runs commands until one fails, and returns it with those that follow.
    private func remaining(of commands: [[String]]) -> [[String]] {
        Array(commands.drop { run($0) == 0 })
    }

    private static func systemctl(_ words: String...) -> [String] { ["systemctl", "--user"] + words }

    private func requireOwn(_ file: String) throws {
        guard try isOwn(file) else {
            throw CommandFailure("\(file) was not written by this command. Remove it first.")
        }
    }

    private func isOwn(_ file: String) throws -> Bool {
        var found = stat()
        guard lstat(file, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return false }
        let bytes = try InputFile.bytes(of: file, limit: Self.limit, content: "the service", as: .regular)
        return String(decoding: bytes, as: UTF8.self).contains(SyncService.mark)
    }
}
