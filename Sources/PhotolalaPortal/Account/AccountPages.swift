import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import Localization
import PhotolalaAPI
import UseCases

/// The account pages of a signed-in person.
struct AccountPages: Sendable {
    let context: PageContext

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        mountPage(Section.overview.path, on: router) { try await overview($0) }
        mountPage(Section.activity.path, on: router) { try await activity($0) }
        mountAction("/account/profile", on: router) { try await saveProfile($0, $1) }
        mountAction(Self.mailPath, on: router) { try await saveMailLanguage($0, $1) }
        mountAction("/account/sign-out", on: router) { page, _ in
            if let cookie = page.browserRequest.cookies[.session] {
                try await context.services.sessions.signOut(browserCookie: cookie)
            }
            return signedOut()
        }
        mountAction(
            "/account/sign-out-everywhere", on: router, after: { page, _ in signOutEverywhereConfirmation(page) }
        ) { page, _ in
            try await context.services.sessions.signOutEverywhere(page.caller)
            return signedOut()
        }
    }

    private func signOutEverywhereConfirmation(_ page: AccountPage) -> ConfirmationPrompt {
        let texts = page.browserRequest.texts
        return ConfirmationPrompt(
            title: texts(.everywhereQuestion), text: texts(.everywhereText), note: context.storageOutlasts(texts),
            button: texts(.everywhereTitle), action: "/account/sign-out-everywhere", fields: [],
            back: Section.devices.path, section: .devices)
    }

    /// Mounts a GET page that requires a signed-in person.
    func mountPage<Context: RequestContext>(
        _ path: String, on router: RouterGroup<Context>,
        _ answer: @escaping @Sendable (AccountPage) async throws -> Response
    ) {
        router.get(RouterPath(path)) { request, _ in try await answer(try await AccountPage(request, context)) }
    }

    /// Mounts a form of one of our own pages that requires a signed-in person.
    func mountAction<Context: RequestContext>(
        _ path: String, on router: RouterGroup<Context>,
        _ answer: @escaping @Sendable (AccountPage, Form) async throws -> Response
    ) {
        router.post(RouterPath(path)) { request, _ in
            let form = try await Form(request)
            do {
                // Authentication follows the body: a session that ends while a slow body arrives must not act.
                let page = try await AccountPage(request, context)
                try context.services.formTokens.check(form[Form.tokenField], page.browserRequest.browser, page.caller)
                var response = try await answer(page, form)
                response.permitReport()
                return response
            } catch ServiceError.rateLimited(let seconds) {
                return try context.refused(form, request, for: seconds)
            }
        }
    }

    private func signedOut() -> Response {
        var response = context.redirect(to: PageLocation.welcome.path)
        response.removeSession()
        return response
    }

    private func overview(_ page: AccountPage) async throws -> Response {
        let (texts, services) = (page.browserRequest.texts, context.services)
        async let profile = profile(page)
        async let usage = services.usage.lastCount(of: page.caller.user, caller: page.caller)
        let user = try await services.account.user(page.caller.user, caller: page.caller)
        let count = try await usage
        let (used, limit) = (count.storageUsed ?? 0, count.storageLimit)
        let tier = user.subscription.tier.rawValue
        var content: [String: any Sendable] = [
            "user": user.serviceUserID.description,
            "tier": texts(.tier, [.tier: texts.member(tier, of: .tier) ?? tier]),
            "since": texts(.accountSince, [.date: texts.day(user.createdAt)]),
            "formToken": page.formToken, "isSaved": page.query["saved"] == "1", "export": ExportPage.path,
            "personIcon": Icon.person.html,
        ]
        content["avatar"] = PicturePages.address(of: page, services)
        content["email"] = services.account.email(of: page.caller).map(AddressParts.content)
        let storage = StorageBar.content(used: used, limit: limit, texts)
        content.merge(storage) { first, _ in first }
        content["storage"] = storage
        if let deletion = user.deletion {
            content["deleting"] = texts(.deletingNotice, [.date: texts.time(deletion.erasesAt)])
        } else {
            content["delete"] = DeleteAccountPage.path
            content["portrait"] = PicturePages.content(page)
            content["isKept"] = page.query["kept"] != nil
        }
        content["unlinks"] = user.linkedProviders.compactMap { link in
            context.unlinkNotice(link, texts).map { ["text": $0] }
        }
        content["warning"] = texts.member(count.fullness.rawValue, of: .fullness)
        content["stored"] = count.byKind.map {
            ["kinds": StorageSegments.content($0, used: used, limit: limit, texts)] as [String: any Sendable]
        }
        if let date = count.storageCountedAt { content["counted"] = texts.timed(.storageCounted, date) }
        if let profile = try await profile {
            content["called"] = profile.profile.displayName
            content["profile"] = ["name": profile.profile.displayName ?? "", "version": profile.etag]
        } else {
            content["unreadable"] = texts.member(ErrorCode.profileUnreadable.rawValue, of: .error)
        }
        content.merge(OfflinePages.content(page)) { first, _ in first }
        content["mail"] = services.account.securityMail(page.caller).map { mail($0, page) }
        content["module"] = context.pages.asset("account.js")
        content["timesModule"] = context.pages.asset("local_times.js")
        return try context.page(
            "account", content, page, section: .overview, policy: .ownScripts)
    }

    private static let mailPath = "/account/mail"
    /// The field of the page's URL with a language that is chosen and not saved.
    private static let languageField = "mail-language"

    private func mail(_ mail: SecurityMailPreferences, _ page: AccountPage) -> [String: any Sendable] {
        let texts = page.browserRequest.texts
        let stored = mail.language ?? TextCatalog.languages[0]
        let chosen = page.query[Self.languageField].flatMap { TextCatalog.languages.contains($0) ? $0 : nil }
        let current = chosen ?? stored
        return [
            "action": Self.mailPath, "stored": stored, "isMailSaved": page.query["saved"] == "mail",
            "isMailUnsaved": current != stored,
            "addresses": mail.addresses.isEmpty
                ? texts(.mailNoAddress) : texts(.mailTo, [.name: mail.addresses.joined(separator: ", ")]),
            "languages": TextCatalog.languages.map { tag in
                [
                    "tag": tag, "title": AppearancePage.languageNames[tag] ?? tag, "selected": tag == current,
                ] as [String: any Sendable]
            },
        ]
    }

    private func saveMailLanguage(_ page: AccountPage, _ form: Form) async throws -> Response {
        guard let language = form["language"], TextCatalog.languages.contains(language) else {
            throw ServiceError.invalidRequest("unknown language")
        }
        do throws(ServiceError) {
            try await context.services.account.setMailLanguage(language, page.caller)
        } catch {
            guard error == .reauthenticationRequired else { throw error }
            // The page shows the choice again, to be saved by one click.
            let path = "\(Section.overview.path)?\(Self.languageField)=\(language)#mail"
            return context.redirectToReauthentication(to: .page(path))
        }
        return context.redirect(to: "\(Section.overview.path)?saved=mail#mail")
    }

    /// Returns the profile, or `nil` if the stored object is not a readable profile.
    private func profile(_ page: AccountPage) async throws -> TaggedProfile? {
        do {
            return try await context.services.account.profile(page.caller.user, caller: page.caller)
        } catch ServiceError.profileUnreadable {
            return nil
        }
    }

    private func saveProfile(_ page: AccountPage, _ form: Form) async throws -> Response {
        let name = (form["name"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        let services = context.services
        let known = try await services.account.profile(page.caller.user, caller: page.caller)
        var profile = known.profile
        profile.displayName = name.isEmpty ? nil : name
        // A change made elsewhere after the page was shown must not be overwritten.
        guard form["version"] == known.etag else { throw ServiceError.preconditionFailed }
        _ = try await services.account.replaceProfile(
            page.caller.user, with: profile, if: .oneOf([known.etag]), caller: page.caller)
        return context.redirect(to: "\(Section.overview.path)?saved=1")
    }

    /// The number of audit events per page.
    private static let historyPageSize = 30

    private func activity(_ page: AccountPage) async throws -> Response {
        async let storage = context.storageBar(page)
        let before = page.query["before"].flatMap { Int($0) }.flatMap { $0 >= 1 ? $0 : nil }
        let history = try await context.services.account.history(
            page.caller.user, before: before, limit: Self.historyPageSize, caller: page.caller)
        let texts = page.browserRequest.texts
        let entries = history.entries.map { entry in
            let act = texts.member(entry.act.rawValue, of: .act) ?? entry.act.rawValue
            let details = [
                entry.provider.map(context.title), entry.targetDeviceName,
                entry.deviceName.map { texts(.onDevice, [.name: $0]) }, entry.country.map(texts.country), entry.reason,
            ].compactMap { $0 }
            let content: [String: any Sendable] = ["act": act, "details": details.map { ["text": $0] }]
            return content.merging(texts.timed(.timeUTC, entry.at)) { own, _ in own }
        }
        let content: [String: any Sendable] = [
            "entries": entries, "older": history.next.map(String.init) ?? "", "isLater": before != nil,
            "hasOlder": history.next != nil, "storage": try await storage,
            "timesModule": context.pages.asset("local_times.js"),
        ]
        return try context.page("activity", content, page, section: .activity, policy: .ownScripts)
    }
}

extension LocalizedStrings {
    /// Returns a template's content with the size and number of the stored objects of a kind.
    func kind(_ name: String, _ stored: StoredObjects) -> [String: String]? {
        member(name, of: .kind, [.size: size(stored.bytes), .count: items(stored.objects)]).map { ["text": $0] }
    }
}

extension Response {
    /// Removes the session, the pending identity, and what is kept for reading offline from the browser.
    mutating func removeSession() {
        remove(.session)
        removePending()
        remove(.offline)
        clearStorage()
    }
}
