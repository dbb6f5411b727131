import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

/// The options that describe this device in the account.
struct DeviceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("What to call this device; the machine's name otherwise.", valueName: "name"))
    var deviceName: String?

    func validate() throws { try TextChecks.check(deviceName, of: "--device-name", limit: 100) }
}

/// The option to sign in without a browser on this machine.
struct DeviceCodeOption: ParsableArguments {
    @Flag(help: "Show a code to type in a browser on any machine, and wait.")
    var deviceCode = false

    /// Rejects options for other ways to authenticate.
    func check(_ identity: IdentityOptions) throws {
        guard !deviceCode || (identity.usesBrowser && !identity.noBrowser) else {
            throw ValidationError("--device-code is instead of --no-browser, --dev-user and --id-token-file.")
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
