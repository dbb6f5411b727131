import ArgumentParser
import Foundation
import PhotolalaClient

struct ServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service", abstract: "Sync a folder continuously, with systemd or launchd.",
        subcommands: [InstallServiceCommand.self, ServiceStatusCommand.self, UninstallServiceCommand.self]
    )
}

struct InstallServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install and start a service that runs `photolala sync FOLDER --watch`.",
        discussion: """
            Writes a systemd user unit, or a launchd agent on macOS, one for each folder. Run it again to \
            change the options, or after photolala or the profile folder moved. Before you use a new \
            folder with a large library, run photolala sync once, or pass --yes to accept the download.
            """
    )

    @Argument(help: ArgumentHelp("Folder to sync, including subfolders.", valueName: "folder"), completion: .directory)
    var folder: String

    @Flag(help: "Print the service file without installing it.")
    var print = false

    @OptionGroup var kept: SyncFolderOptions

    @OptionGroup var common: CommonOptions

    func validate() throws { try TextChecks.check(folder, of: "FOLDER", expects: "a folder") }

    func run() async throws {
        try await CommandFailure.reporting(asJSON: common.json) {
            guard LocalPath.kind(of: folder) == .folder else {
                throw CommandFailure("No such folder: \(folder).", code: .folderUnusable)
            }
            let service = SyncService(
                folder: ServicePath.absolute(folder), program: ThisProgram.path,
                options: kept.arguments + commonArguments)
            let manager = UserServices.ofThisMachine()
            let file = manager.file(of: service.name)
            if print {
                let content = manager.text(of: service)
                return common.json
                    ? try Terminal.writeJSON(
                        InstalledService(name: service.name, file: file, commands: [], content: content))
                    : try Terminal.writeResult(content.trimmingCharacters(in: .newlines))
            }
            let rest = try manager.install(service)
            if common.json {
                return try Terminal.writeJSON(
                    InstalledService(name: service.name, file: file, commands: rest, content: nil))
            }
            try Terminal.writeResult(ServiceText.installed(service, file: file, kind: manager.kind, rest: rest))
        }
    }

    private var commonArguments: [String] {
        common.serviceArguments(environment: ProcessInfo.processInfo.environment)
    }
}

/// The JSON of an installed or removed service.
struct InstalledService: Encodable {
    let name: String
    let file: String
    /// What the user has to run.
    let commands: [[String]]
    /// What the file would contain, if it is only printed.
    let content: String?
}

struct ServiceStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the installed services.")

    @Flag(help: "Print the services as JSON.")
    var json = false

    func run() async throws {
        try await CommandFailure.reporting(asJSON: json) {
            let manager = UserServices.ofThisMachine()
            let services = try manager.installed()
            if json { return try Terminal.writeJSON(["services": services]) }
            try Terminal.writeResult(ServiceText.list(services, kind: manager.kind))
        }
    }
}

struct UninstallServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Stop and remove the service of a folder.",
        discussion: "The folder, the library and the sync state are kept."
    )

    @Argument(
        help: ArgumentHelp("Folder of the service, or its name.", valueName: "folder"), completion: .directory)
    var folder: String

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws { try TextChecks.check(folder, of: "FOLDER", expects: "a folder") }

    func run() async throws {
        try await CommandFailure.reporting(asJSON: json) {
            let manager = UserServices.ofThisMachine()
            let name =
                SyncService.isName(folder) && !folder.contains("/")
                ? folder : SyncService.name(of: ServicePath.absolute(folder))
            guard let rest = try manager.uninstall(name) else {
                throw CommandFailure(
                    "No service of \(folder) is installed.", code: .notFound,
                    advice: ["List them:  photolala service status"])
            }
            if json {
                return try Terminal.writeJSON(
                    InstalledService(name: name, file: manager.file(of: name), commands: rest, content: nil))
            }
            try Terminal.writeResult(
                (["Removed \(manager.file(of: name))."] + ServiceText.commands(rest)).joined(separator: "\n"))
        }
    }
}

/// The path of a service's folder.
enum ServicePath {
    /// Returns the absolute path without `.`, `..` and a slash at the end; links stay.
    static func absolute(_ path: String) -> String {
        let path = URL(filePath: path).standardizedFileURL.path
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

/// What the commands print.
enum ServiceText {
    static func installed(
        _ service: SyncService, file: String, kind: UserServices.Kind, rest: [[String]]
    ) -> String {
        var lines = ["Wrote \(Terminal.sanitized(file))."]
        guard rest.isEmpty else { return (lines + commands(rest)).joined(separator: "\n") }
        let uninstall = SuggestedCommand.text("photolala service uninstall ?", service.folder)
        lines.append("Started. Stop and remove it:  \(uninstall)")
        if kind == .systemd {
            lines.append("Log:  journalctl --user --unit \(service.name)")
            lines.append("It runs while you are signed in to this machine. To run it always:  loginctl enable-linger")
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the commands that the user has to run.
    static func commands(_ rest: [[String]]) -> [String] {
        guard !rest.isEmpty else { return [] }
        return ["These commands failed or are not available here. Run them yourself:"]
            + rest.map { words in
                "  "
                    + words.map { $0.wholeMatch(of: /[A-Za-z0-9_.\/=-]+/) != nil ? $0 : ShellWord.quoted($0) }
                    .joined(separator: " ")
            }
    }

    static func list(_ services: [UserServices.Installed], kind: UserServices.Kind) -> String {
        guard !services.isEmpty else {
            return "No service is installed. Install one:  photolala service install FOLDER"
        }
        return services.map { service in
            let log =
                kind == .systemd && service.state != .running ? "  See journalctl --user --unit \(service.name)" : ""
            return "\(service.state.rawValue)  \(service.name)\(log)"
        }.joined(separator: "\n")
    }
}
