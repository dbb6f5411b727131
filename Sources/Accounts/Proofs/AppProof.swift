import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// What an app asked a browser to prove an identity for. It travels sealed with the browser to the provider and back, and
/// then in the code that the app gets.
package struct AppProof: Codable, Sendable, Equatable {
    /// `link` or `reauthenticate`.
    package let purpose: ChallengePurpose
    /// The device whose session does the act.
    package let device: DeviceID
    /// Of PKCE (RFC 7636), with the method S256.
    package let codeChallenge: String

    package init(purpose: ChallengePurpose, device: DeviceID, codeChallenge: String) {
        self.purpose = purpose
        self.device = device
        self.codeChallenge = codeChallenge
    }

    /// Whether the verifier is the one that the challenge was made of.
    func isAnswered(_ verifier: String) -> Bool {
        let hash = Base64URL.encode(Data(SHA256.hash(data: Data(verifier.utf8))))
        return (43...128).contains(verifier.utf8.count) && ConstantTime.isEqual(hash.utf8, codeChallenge.utf8)
    }
}
