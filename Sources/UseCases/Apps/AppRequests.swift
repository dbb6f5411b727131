import Foundation
import PhotolalaAPI
import Secrets

/// A validated authorization request of an app (RFC 6749 section 4.1.1, RFC 7636).
package struct AppAuthorizationRequest: Sendable {
    package let client: AppClient
    package let redirectURI: String
    package let state: String?
    /// The device name as the app states it.
    let deviceName: String
    package let devicePlatform: String
    /// The device id; `nil` for an app that does not store one.
    let deviceID: DeviceID?
    let codeChallenge: String
}

/// The reason why an authorization request fails.
package enum AppAuthorizationRequestError: Error, Equatable, Sendable {
    /// The client or redirect URI is unknown, so the error is shown to the user instead of sent to the app. The text is
    /// for a developer.
    case invalidClient(String)
    /// The error is returned to the app with an error code of RFC 6749 section 4.1.2.1.
    case refused(redirectURI: String, state: String?, code: String, words: String)
}

/// Parses the authorization requests of apps.
package struct AppRequests: Sendable {
    let apps: [AppClient]
    let randomness: Randomness

    /// Parses and validates an authorization request.
    /// - Parameter parameter: returns a request parameter by name, or `nil` if it is absent.
    package func parse(_ parameter: (String) -> String?) throws(AppAuthorizationRequestError)
        -> AppAuthorizationRequest
    {
        guard let id = parameter("client_id"), let client = apps.first(where: { $0.id == id }) else {
            throw .invalidClient("client_id is not registered on this server.")
        }
        guard let redirectURI = parameter("redirect_uri"), client.accepts(at: redirectURI) else {
            throw .invalidClient("redirect_uri is not registered for this app.")
        }
        let state = parameter("state")
        func refused(_ code: String, _ words: String) -> AppAuthorizationRequestError {
            .refused(redirectURI: redirectURI, state: state, code: code, words: words)
        }
        guard state?.utf8.count ?? 0 <= 1024 else {
            throw .refused(
                redirectURI: redirectURI, state: nil, code: "invalid_request",
                words: "state must be at most 1,024 bytes.")
        }
        guard parameter("response_type") == "code" else {
            throw refused("unsupported_response_type", "response_type must be code.")
        }
        guard parameter("response_mode").map({ $0 == "query" }) ?? true else {
            throw refused("invalid_request", "response_mode must be query.")
        }
        guard let challenge = parameter("code_challenge"), parameter("code_challenge_method") == "S256",
            Base64URL.decode(challenge)?.count == 32
        else { throw refused("invalid_request", "PKCE is required: send code_challenge with method S256.") }
        let name = parameter("device_name") ?? client.name
        let platform = parameter("device_platform") ?? "app"
        let deviceID = parameter("device_id")
        guard deviceDescription(deviceID, name: name, platform: platform) != nil else {
            throw refused(
                "invalid_request",
                "device_id must be a UUID, device_name 1 to 100 and device_platform 1 to 32 characters.")
        }
        return AppAuthorizationRequest(
            client: client, redirectURI: redirectURI, state: state, deviceName: name, devicePlatform: platform,
            deviceID: deviceID.flatMap { DeviceID($0) }, codeChallenge: challenge)
    }

    /// Returns the device that an app states, with a random id if the app sends none, or `nil` if it is invalid.
    func deviceDescription(_ id: String?, name: String, platform: String) -> DeviceDescription? {
        let made = DeviceID(uuid: randomness.uuid())
        guard let id = id.map({ DeviceID($0) }) ?? made else { return nil }
        let device = DeviceDescription(id: id, name: name, platform: platform)
        return (try? device.validate()) == nil ? nil : device
    }
}
