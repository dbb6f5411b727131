import Hummingbird
import IdentityProviders

/// Mounts all pages.
package struct Portal: Sendable {
    private let pages: Pages
    private let development: [DevelopmentProvider]

    /// - Parameter development: the development providers, in `dev` only.
    /// - Throws: when a template is not well-formed.
    package init(development: [DevelopmentProvider]) throws {
        pages = try Pages()
        self.development = development
    }

    package func mount(on router: some RouterMethods) {
        pages.mountAssets(on: router)
        for provider in development { DevelopmentSignIn(provider: provider, pages: pages).mount(on: router) }
    }
}
