import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// An app's request to authenticate an identity in a browser. It travels sealed to the provider and back, and then in
/// the code that the app receives.
package struct AppAuthenticationRequest: Codable, Sendable, Equatable {
    /// `link` or `reauthenticate`.
    package let purpose: ChallengePurpose
    /// The device whose session performs the action.
    package let device: DeviceID
    /// The PKCE challenge (RFC 7636), method S256.
    package let codeChallenge: String

    package init(purpose: ChallengePurpose, device: DeviceID, codeChallenge: String) {
        self.purpose = purpose
        self.device = device
        self.codeChallenge = codeChallenge
    }

    /// Returns whether the verifier matches the challenge.
    func accepts(_ verifier: String) -> Bool {
        let hash = Base64URL.encode(Data(SHA256.hash(data: Data(verifier.utf8))))
        return (43...128).contains(verifier.utf8.count) && ConstantTime.isEqual(hash, codeChallenge)
    }
}
