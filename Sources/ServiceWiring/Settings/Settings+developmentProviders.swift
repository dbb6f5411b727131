import DevelopmentIdentityProvider
import IdentityProviders
import PhotolalaAPI

extension Settings {
    /// The providers that the development provider can emulate.
    static let developmentShapes: [(name: ProviderName, shape: DevelopmentTokenShape)] = [
        (.apple, .apple), (.google, .google), (.facebook, .facebook),
    ]

    /// The providers that are emulated: in `dev`, every provider that is not configured.
    var developmentProviders: [(name: ProviderName, shape: DevelopmentTokenShape)] {
        guard environment == .dev else { return [] }
        return Self.developmentShapes.filter { name, _ in !providers.contains { $0.name == name } }
    }

    /// Returns the issuer of an emulated provider.
    func developmentIssuer(_ name: ProviderName) -> String { "\(publicURL)/dev/providers/\(name)" }
}
