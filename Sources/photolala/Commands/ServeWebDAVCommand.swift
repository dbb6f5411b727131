import ArgumentParser
import Foundation
import LibraryWebDAV
import PhotolalaClient
import Secrets

struct ServeWebDAVCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve-webdav", abstract: "Serve your library read-only over WebDAV, to programs on this machine.",
        discussion: """
            Runs a WebDAV server on 127.0.0.1 until Ctrl-C, for file managers, rclone and davfs2. Prints its URL, user and \
            password, unless --quiet is given. Photos are downloaded as they are read; new ones appear within 30 seconds.
            """
    )

    @Option(parsing: .unconditional, help: ArgumentHelp("Port; 0 for a free one.", valueName: "n"))
    var port = 8765

    @Option(
        help: ArgumentHelp(
            "Use the first line of this file as the password, instead of a random one.", valueName: "file"),
        completion: .file())
    var passwordFile: String?

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var transferOptions: TransferOptions? { transfer }

    private static let user = "photolala"

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
        try TextChecks.check(passwordFile, of: "--password-file", expects: "a file")
        if transfer.quiet, passwordFile == nil || port == 0 {
            throw ValidationError("--quiet requires --password-file and a port other than 0: neither is printed.")
        }
    }

    func perform(_ context: CommandContext) async throws -> DoneResult {
        let password = try passwordFile.map { try PasswordFile.line(of: $0) } ?? Hex.encode(Randomness.system.bytes(12))
        // Fails before the server starts, if the library cannot be read.
        _ = try await context.library.photos()
        let (isJSON, isQuiet) = (common.json, transfer.quiet)
        try await serveWebDAV(
            of: try await context.viewingLibrary(), port: port, user: Self.user, password: password
        ) { port in
            let server = WebDAVAddress(url: "http://127.0.0.1:\(port)/", user: Self.user, password: password)
            guard isJSON || !isQuiet else { return }
            try? isJSON ? Terminal.writeJSON(server) : Terminal.writeResult(server.text)
        }
        throw CancellationError()
    }
}

/// Where the server listens, and how clients authenticate.
struct WebDAVAddress: Encodable {
    let url: String
    let user: String
    let password: String

    var text: String {
        """
        Library at \(url), read-only, until Ctrl-C.
        User: \(user)
        Password: \(Terminal.sanitized(password))
        """
    }
}
