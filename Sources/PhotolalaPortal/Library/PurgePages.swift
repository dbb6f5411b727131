import Hummingbird
import IdentityProviders
import Localization
import PhotoCatalog
import PhotolalaAPI
import UseCases

/// Permanently deletes photos from the trash, after confirmation and over as many requests as needed. Each request
/// deletes a bounded number of photos and returns a form for the rest, which the page's script submits.
struct PurgePages: Sendable {
    /// The counts in the notice on the trash page, as fields of its URL.
    enum Outcome: String, CaseIterable {
        case purged, failed, kept, unfinished
    }

    /// Fields of the forms besides the photos.
    private enum Field {
        static let digest = "mark"
        static let done = "deleted"
    }

    /// The paths of the forms. With GET they ask for confirmation, if the address is one that a form made.
    static let chosenPath = "\(PhotoList.trash.path)/delete"
    static let allPath = "\(PhotoList.trash.path)/empty"
    /// The most photos that the address of a question contains: of 35 bytes each, in an address of at most 2,048.
    private static let addressedPhotos = 45

    let context: PageContext
    let account: AccountPages

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        account.mountAction(Self.allPath, on: router) { page, form in try await handleAction(.all, page, form) }
        account.mountAction(Self.chosenPath, on: router) { page, form in
            let photos = Set(form.names.compactMap { ContentDigest($0) })
            // A form without photos must not be read as a request for all of them.
            guard !photos.isEmpty else { return context.redirect(to: Self.backPath(form)) }
            return try await handleAction(.photos(photos), page, form)
        }
        // The pages to which a re-authentication continues. Only their forms delete.
        account.mountPage(Self.allPath, on: router) { try await showQuestion(.all, $0) }
        account.mountPage(Self.chosenPath, on: router) { page in
            let photos = Set(page.query.names.compactMap { ContentDigest($0) })
            return try await showQuestion(photos.isEmpty ? nil : .photos(photos), page)
        }
    }

    /// Returns the template content that offers permanent deletion. While the deletion of the account is scheduled, there
    /// is none. Without recent authentication the forms lead to a re-authentication, and from there to their question.
    func content(_ page: AccountPage) -> [String: any Sendable] {
        do throws(ServiceError) {
            try context.services.sensitiveActions.requireRecentAuthentication(page.caller, for: .purgeTrash)
        } catch .accountDeleting {
            return [:]
        } catch {
            return [
                "deleteChosen": Self.chosenPath, "emptyTrash": Self.allPath, "addressed": String(Self.addressedPhotos),
            ]
        }
        return ["deleteChosen": Self.chosenPath, "emptyTrash": Self.allPath]
    }

    private func prepare(_ choice: PurgeChoice, _ page: AccountPage) async throws(ServiceError) -> PurgeOffer {
        try await context.services.library.preparePurge(choice, caller: page.caller)
    }

    /// Returns the page that asks for confirmation; for too many photos, the trash.
    ///
    /// Its address contains a token of the browser: another site that opened the question would need only one more press,
    /// at a place that it knows.
    private func question(_ choice: PurgeChoice, _ page: AccountPage) throws(ServiceError) -> PageLocation {
        let token = "\(Form.tokenField)=\(try context.services.formTokens.makeToken(page.browser, nil))"
        guard case .photos(let photos) = choice else { return .page("\(Self.allPath)?\(token)") }
        guard photos.count <= Self.addressedPhotos else { return .page(PhotoList.trash.path) }
        let fields = [token] + photos.sorted().map { "\($0)=1" }
        return .page("\(Self.chosenPath)?\(fields.joined(separator: "&"))")
    }

    private func showQuestion(_ choice: PurgeChoice?, _ page: AccountPage) async throws -> Response {
        let token = page.query[Form.tokenField]
        guard let choice, (try? context.services.formTokens.check(token, page.browser, nil)) != nil else {
            return context.redirect(to: Self.backPath(nil))
        }
        var response = try showConfirmation(try await prepare(choice, page), choice, page, nil)
        response.permitReport()
        return response
    }

    /// Returns the notice about the deletion, for the page that follows.
    static func notice(_ page: AccountPage) -> String? {
        let texts = page.browserRequest.texts
        func count(_ outcome: Outcome) -> Int? {
            page.query[outcome.rawValue].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        }
        guard let purged = count(.purged) else { return nil }
        let parts = [
            texts(.purged, [.count: texts.items(purged)]),
            count(.failed).map { texts(.purgeFailed, [.count: texts.number($0)]) },
            count(.kept).map { texts(.purgeKept, [.count: texts.items($0)]) },
            count(.unfinished).map { _ in texts(.purgeUnfinished) },
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }

    private func handleAction(_ choice: PurgeChoice, _ page: AccountPage, _ form: Form) async throws -> Response {
        let services = context.services
        do throws(ServiceError) {
            try services.sensitiveActions.requireRecentAuthentication(page.caller, for: .purgeTrash)
        } catch {
            guard error == .reauthenticationRequired else { throw error }
            return context.redirectToReauthentication(to: try question(choice, page))
        }
        guard form[ConfirmationPrompt.confirmedField] != nil,
            let digest = form[Field.digest].flatMap({ ContentDigest($0) })
        else {
            return try showConfirmation(try await prepare(choice, page), choice, page, form)
        }
        let before = Self.deletedCount(form)
        switch try await services.library.purgeTrash(choice, confirmed: digest, caller: page.caller) {
        case .unconfirmed(let offer): return try showConfirmation(offer, choice, page, form, isChanged: true)
        case .deleted(let count, _, digest: nil):
            return context.redirect(to: Self.backPath(form, [.purged: before + count]))
        case .deleted(let count, let left, let digest?):
            return try showProgress(choice, done: before + count, left: left, digest, page, form)
        case .stopped(let deleted, let failed, let isUnfinished):
            var outcome: [Outcome: Int] = [.purged: before + deleted]
            if failed > 0 { outcome[.failed] = failed }
            if isUnfinished { outcome[.unfinished] = 1 }
            return context.redirect(to: Self.backPath(form, outcome))
        }
    }

    /// Asks for confirmation, unless there is nothing to delete.
    /// - Parameter isChanged: Whether other photos were confirmed.
    private func showConfirmation(
        _ offer: PurgeOffer, _ choice: PurgeChoice, _ page: AccountPage, _ form: Form?, isChanged: Bool = false
    ) throws -> Response {
        guard !offer.contents.isEmpty else {
            let kept = offer.keptPhotos
            return context.redirect(
                to: Self.backPath(form, kept > 0 ? [.purged: Self.deletedCount(form), .kept: kept] : [:]))
        }
        let texts = page.browserRequest.texts
        let count = texts.items(offer.photoCount)
        let kept = offer.keptPhotos > 0 ? texts(.purgeKept, [.count: texts.items(offer.keptPhotos)]) : nil
        let text = [texts(.purgeText, [.count: count, .size: texts.size(offer.bytes)]), kept]
        return try account.showConfirmation(
            ConfirmationPrompt(
                title: texts(choice == .all ? .emptyQuestion : .purgeQuestion),
                warning: isChanged ? texts(.purgeChanged) : nil,
                text: text.compactMap { $0 }.joined(separator: " "),
                button: texts(choice == .all ? .emptyTrash : .deletePermanently), action: Self.path(choice),
                fields: Self.fields(choice, done: Self.deletedCount(form), offer.contentsID, form),
                back: Self.backPath(form)), page)
    }

    /// Shows the progress, with the form that continues.
    private func showProgress(
        _ choice: PurgeChoice, done: Int, left: Int, _ digest: ContentDigest, _ page: AccountPage, _ form: Form
    ) throws -> Response {
        let texts = page.browserRequest.texts
        let fields =
            Self.fields(choice, done: done, digest, form) + [
                (Form.tokenField, page.formToken), (ConfirmationPrompt.confirmedField, "1"),
            ]
        return try context.page(
            "purge",
            [
                "title": texts(.purgeTitle), "action": Self.path(choice), "back": Self.backPath(form),
                "text": texts(.purgeProgress, [.count: texts.number(done), .total: texts.number(done + left)]),
                "done": String(done), "total": String(done + left), "module": context.pages.asset("library.js"),
                "fields": fields.map { ["name": $0.name, "value": $0.value] },
            ], page, section: .trash, policy: .ownScripts)
    }

    private static func path(_ choice: PurgeChoice) -> String { choice == .all ? allPath : chosenPath }

    private static func deletedCount(_ form: Form?) -> Int {
        min(max(form?[Field.done].flatMap { Int($0) } ?? 0, 0), 1_000_000_000)
    }

    private static func fields(
        _ choice: PurgeChoice, done: Int, _ digest: ContentDigest, _ form: Form?
    ) -> [(name: String, value: String)] {
        var fields = [(Field.digest, digest.description), (Field.done, String(done))]
        for name in ["from", "near"] { if let value = form?[name] { fields.append((name, value)) } }
        if case .photos(let photos) = choice { fields += photos.sorted().map { ($0.description, "1") } }
        return fields.map { (name: $0.0, value: $0.1) }
    }

    /// Returns the URL of the trash page at the person's position, with the outcome.
    private static func backPath(_ form: Form?, _ outcome: [Outcome: Int] = [:]) -> String {
        let near = form?["near"].flatMap { ContentDigest($0) }.map { "&near=\($0)" } ?? ""
        let block = form?["from"].flatMap { UInt32($0) } ?? 0
        let parameters = Outcome.allCases.compactMap { name in outcome[name].map { "&\(name.rawValue)=\($0)" } }
            .joined()
        return "\(PhotoList.trash.path)?from=\(block)\(near)\(parameters)"
    }
}
