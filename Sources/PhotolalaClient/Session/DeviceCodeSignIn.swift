import Foundation
import PhotolalaAPI

/// A sign-in on a device without a browser, which waits while its person lets it in elsewhere (RFC 8628).
public struct DeviceCodeSignIn: Sendable {
    /// What the person types: three groups of four letters.
    public let userCode: String
    /// Where, in any browser.
    public let url: URL
    /// Seconds between two questions whether the person has decided; 5 more after each `slowDown`.
    public let interval: Int
    /// Seconds from its beginning on.
    public let lifetime: Int
    let client: String
    let deviceCode: String
}

extension PhotolalaSession {
    /// Begins a sign-in on a device without a browser. Show the code and the address, then ask with `finish` until it gives
    /// something else than `authorizationPending` or `slowDown`.
    /// - Parameter client: the app's id at the server, one of its setting `signIn.apps`.
    /// - Throws: `alreadySignedIn` when an account is signed in on this device; `anotherServer`, `localStorageFailed`.
    public func beginDeviceCodeSignIn(client: String) async throws(PhotolalaError) -> DeviceCodeSignIn {
        let device = try signingInDevice()
        try await expectNobody()
        let issued: DeviceAuthorization = try await connection.send(
            [
                ("client_id", client), ("device_id", device.id.description), ("device_name", device.name),
                ("device_platform", device.platform),
            ], to: "/device_authorization", signer: nil)
        guard let url = URL(string: issued.verificationURI) else {
            throw AnswerReader.notPhotolala(server, "it names no page for the code")
        }
        return DeviceCodeSignIn(
            userCode: issued.userCode, url: url, interval: max(1, issued.interval),
            lifetime: issued.expiresIn, client: client, deviceCode: issued.deviceCode)
    }

    /// Asks once whether the person has decided, and opens the session.
    /// - Throws: `authorizationPending`; `slowDown` when it asks too often; `notAllowed` when the person did not allow it; `sessionEnded` when the time for it is over.
    @discardableResult
    public func finish(_ signIn: DeviceCodeSignIn) async throws(PhotolalaError) -> User {
        try await open(
            with: [
                ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", signIn.deviceCode),
                ("client_id", signIn.client),
            ])
    }
}
