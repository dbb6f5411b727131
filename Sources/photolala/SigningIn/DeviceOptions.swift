import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

/// The options that describe this device in the account.
struct DeviceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Name of this device. Default: the machine's name.", valueName: "name"))
    var deviceName: String?

    func validate() throws { try TextChecks.check(deviceName, of: "--device-name", limit: 100) }
}

/// The option to sign in without a browser on this machine.
struct DeviceCodeOption: ParsableArguments {
    @Flag(help: "Show a code to enter in a browser on any device.")
    var deviceCode = false

    /// Rejects options for other ways to authenticate.
    func check(_ identity: IdentityOptions) throws {
        guard !deviceCode || (identity.usesBrowser && !identity.noBrowser) else {
            throw ValidationError("--device-code cannot be used with --no-browser, --dev-user or --id-token-file.")
        }
    }

    /// Signs in or signs up on the server's pages.
    func signIn(
        _ identity: IdentityOptions, createsAccount: Bool, in session: PhotolalaSession
    ) async throws -> User {
        if deviceCode { return try await DeviceCodeIdentity(session: session).signIn() }
        return try await identity.browser(in: session, codeCommand: createsAccount ? "signup" : "signin")
            .signIn(createsAccount: createsAccount)
    }
}
