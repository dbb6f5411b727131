import Foundation
import PhotolalaClient

extension ScreenContext {
    /// Creates the context of an app's screens.
    /// - Parameters:
    ///   - session: The device's session.
    ///   - signIns: The providers that the app offers. The platform's own provider is shown first.
    public init(session: PhotolalaSession, signIns: [any ProviderSignIn]) {
        #if canImport(Darwin)
            let native = ProviderName.apple
        #else
            let native = ProviderName.google
        #endif
        self.init(account: session, signIns: signIns, native: native, now: { Date() })
    }
}
