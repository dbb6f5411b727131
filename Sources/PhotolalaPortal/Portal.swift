import DevelopmentIdentityProvider
import Hummingbird
import Localization
import PhotoCatalog
import UseCases

/// Mounts all pages.
package struct Portal: Sendable {
    private let context: PageContext
    private let publicURL: String
    private let securityURL: String?
    private let bodyLimit: Int
    private let development: [DevelopmentProvider]

    /// - Parameters:
    ///   - brand: What the pages show of the operator.
    ///   - publicURL: The server's URL, without a trailing slash.
    ///   - bodyLimit: The largest JSON body, in bytes.
    ///   - development: The development providers; only in `dev`.
    ///   - refusal: Returns the part of an error that a page may show.
    /// - Throws: If a template or the text catalog is malformed.
    package init(
        services: ServiceGraph, brand: ServiceBrand, publicURL: String, bodyLimit: Int,
        development: [DevelopmentProvider],
        refusal: @escaping @Sendable (any Error) -> PortalError
    ) throws {
        let catalog = try TextCatalog(service: brand.name)
        context = PageContext(
            services: services, pages: try Pages(brand: brand), catalog: catalog,
            vocabulary: SearchVocabulary(catalog), refusal: refusal)
        self.publicURL = publicURL
        securityURL = brand.securityURL
        self.bodyLimit = bodyLimit
        self.development = development
    }

    /// Returns the error middleware. It must run before any middleware that can reject a page request.
    package func errors<Context: RequestContext>() -> PageErrors<Context> { PageErrors(pageContext: context) }

    /// Returns whether a request has a session cookie, valid or not.
    package static func hasSessionCookie(_ request: Request) -> Bool { PortalCookies(request)[.session] != nil }

    package func mount<Context: RequestContext>(on router: Router<Context>) {
        context.pages.mountAssets(on: router)
        if let securityURL {
            SecurityContact(
                url: securityURL, publicURL: publicURL, languages: TextCatalog.languages, now: context.services.now
            ).mount(on: router)
        }
        for provider in development { DevelopmentSignIn(provider: provider, pages: context.pages).mount(on: router) }
        let group = router.group().add(middleware: CanonicalLoopbackHost(publicURL))
            .add(middleware: FormOriginCheck(publicURL: publicURL)).add(middleware: PageCompression())
        let appAuthentication = AppAuthenticationPage(context: context, publicURL: publicURL)
        let (account, authorizations) = (
            AccountPages(context: context),
            ProviderAuthorizationPages(context: context, appAuthentication: appAuthentication)
        )
        AppearancePage(context: context).mount(on: group)
        SignInPages(context: context).mount(on: group)
        authorizations.mount(on: group)
        AuthorizePage(context: context, publicURL: publicURL).mount(on: group)
        appAuthentication.mount(on: group)
        DevicePage(context: context).mount(on: group)
        account.mount(on: group)
        let uploads = UploadEndpoints(context: context, bodyLimit: bodyLimit)
        let purge = PurgePages(context: context, account: account)
        LibraryPages(context: context, account: account, uploads: uploads, purge: purge).mount(on: group)
        PhotoPage(context: context, account: account, purge: purge).mount(on: group)
        purge.mount(on: group)
        AlbumPages(context: context, account: account, uploads: uploads).mount(on: group)
        PlacePages(context: context, account: account, uploads: uploads).mount(on: group)
        Suggestions(context: context).mount(on: group)
        if context.services.sharing.isEnabled {
            SharedLinkPages(context: context, account: account, publicURL: publicURL).mount(on: group)
            SharedPages(context: context).mount(on: group)
            SharedPhotoPage(context: context).mount(on: group)
        }
        RecallPages(context: context, account: account).mount(on: group)
        OfflinePages(context: context, account: account).mount(on: group)
        uploads.mount(on: group)
        DevicesPage(context: context, account: account).mount(on: group)
        LinksPage(context: context, account: account, authorizations: authorizations).mount(on: group)
        DeleteAccountPage(context: context, account: account).mount(on: group)
        DeletionCodePage(context: context).mount(on: group)
        ExportPage(context: context, account: account).mount(on: group)
        PicturePages(context: context, account: account).mount(on: group)
    }
}
