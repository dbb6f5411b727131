import PhotolalaAPI
import PhotolalaClient

/// Signs in with a code that the user types in a browser on another machine.
struct DeviceCodeIdentity {
    let session: PhotolalaSession

    func signIn() async throws -> User {
        let signIn = try await session.beginDeviceCodeSignIn(client: BrowserIdentity.client)
        Terminal.writeNotice("In a browser on any device, open  \(signIn.url.absoluteString)  and enter the code")
        Terminal.writeNotice("    \(signIn.userCode)")
        let end = ContinuousClock.now + .seconds(signIn.lifetime)
        var interval = signIn.interval
        while ContinuousClock.now < end {
            try await Task.sleep(for: .seconds(interval))
            do throws(PhotolalaError) {
                return try await session.finish(signIn)
            } catch {
                // RFC 8628 section 3.5.
                if error.code == .slowDown {
                    interval += 5
                    continue
                }
                // Temporary server failures do not end the polling.
                guard [.authorizationPending, .serverUnreachable, .temporarilyUnavailable].contains(error.code) else {
                    throw error
                }
            }
        }
        throw CommandFailure(
            "This device was not approved within \(Counted.text(signIn.lifetime / 60, "minute")).",
            advice: ["Run the same command again."], status: .signInRejected)
    }
}
