import PhotolalaAPI
import PhotolalaClient

/// Lets a person sign in with a browser on another machine, by a code.
struct DeviceCodeIdentity {
    let session: PhotolalaSession

    func signIn() async throws -> User {
        let signIn = try await session.beginDeviceCodeSignIn(client: BrowserIdentity.client)
        Terminal.note("In a browser, on any machine, open  \(signIn.url.absoluteString)  and type the code")
        Terminal.note("    \(signIn.userCode)")
        let end = ContinuousClock.now + .seconds(signIn.lifetime)
        while ContinuousClock.now < end {
            try await Task.sleep(for: .seconds(signIn.interval))
            do throws(PhotolalaError) {
                return try await session.finish(signIn)
            } catch {
                // A server that is away for a moment is asked again.
                guard [.authorizationPending, .serverUnreachable, .temporarilyUnavailable].contains(error.code) else {
                    throw error
                }
            }
        }
        throw CommandFailure(
            "This device was not approved within \(signIn.lifetime / 60) minutes.",
            advice: ["Try again:  photolala signin --device-code"], status: .proofRefused)
    }
}
