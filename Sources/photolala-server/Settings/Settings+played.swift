import IdentityProviders
import PhotolalaAPI

extension Settings {
    /// What the development provider can play.
    static let playable: [(name: ProviderName, shape: DevelopmentTokenShape)] = [
        (.apple, .apple), (.google, .google), (.facebook, .facebook),
    ]

    /// What it plays: in `dev` every provider that is not set up.
    var playedProviders: [(name: ProviderName, shape: DevelopmentTokenShape)] {
        guard environment == .dev else { return [] }
        return Self.playable.filter { name, _ in !providers.contains { $0.name == name } }
    }

    /// The issuer of a provider that is played.
    func playedIssuer(_ name: ProviderName) -> String { "\(publicURL)/dev/providers/\(name)" }
}
