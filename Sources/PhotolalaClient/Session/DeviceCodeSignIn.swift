import Foundation
import PhotolalaAPI

/// A sign-in on a device without a browser, which the user approves on another device (RFC 8628).
public struct DeviceCodeSignIn: Sendable {
    /// The code that the user types: three groups of four letters.
    public let userCode: String
    /// The address to open in any browser.
    public let url: URL
    /// The minimum interval between two polls, in seconds; 5 seconds longer after each `slowDown`.
    public let interval: Int
    /// The lifetime of the sign-in since its start, in seconds.
    public let lifetime: Int
    let client: String
    let deviceCode: String
}

extension PhotolalaSession {
    /// Starts a sign-in on a device without a browser. Show the code and the address, then poll with `finish` until it
    /// no longer throws `authorizationPending` or `slowDown`.
    /// - Parameter client: The app's ID at the server, one of its setting `signIn.apps`.
    /// - Throws: `alreadySignedIn` if an account is signed in on this device; `anotherServer`, `localStorageFailed`.
    public func beginDeviceCodeSignIn(client: String) async throws(PhotolalaError) -> DeviceCodeSignIn {
        let device = try signInDevice()
        try await requireNoSession()
        let issued: DeviceAuthorization = try await connection.send(
            [
                ("client_id", client), ("device_id", device.id.description), ("device_name", device.name),
                ("device_platform", device.platform),
            ], to: "/device_authorization", signer: nil)
        guard let url = URL(string: issued.verificationURI) else {
            throw ResponseReader.notPhotolala(server, "no verification URL in the response")
        }
        return DeviceCodeSignIn(
            userCode: issued.userCode, url: url, interval: max(1, issued.interval),
            lifetime: issued.expiresIn, client: client, deviceCode: issued.deviceCode)
    }

    /// Polls once for the user's decision and, if approved, opens the session.
    /// - Throws: `authorizationPending`; `slowDown` if the device polls too often; `notAllowed` if the user denied the
    ///   request; `sessionEnded` if the sign-in expired.
    @discardableResult
    public func finish(_ signIn: DeviceCodeSignIn) async throws(PhotolalaError) -> User {
        try await startSession(
            with: [
                ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", signIn.deviceCode),
                ("client_id", signIn.client),
            ])
    }
}
