import ArgumentParser
import ServiceWiring

/// Runs the server until it receives a stop signal.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the server: the JSON API and the S3 endpoint of one machine."
    )

    @OptionGroup var options: SettingsOptions

    @Flag(
        help: """
            In dev: let other devices of the local network pair with this server. Prints a warning and a QR code. The \
            listeners get this machine's address in that network, unless --listen and --s3-listen give one.
            """)
    var pair = false

    func run() async throws {
        try await ExitStatus.reporting {
            try await Live(try options.read(pairingHost: pair ? try pairingHost() : nil)).run()
        }
    }

    private func pairingHost() throws -> String {
        if let address = LocalNetwork.address() { return address }
        guard options.listen != nil, options.s3Listen != nil else {
            throw StartProblem("--pair: this machine has no address in a local network. Add --listen and --s3-listen")
        }
        return "127.0.0.1"
    }
}
