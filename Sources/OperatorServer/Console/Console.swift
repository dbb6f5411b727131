import Foundation
import HTTPTypes
import Hummingbird
import Monitoring
import Operators
import PhotolalaAPI
import PhotolalaPortal
import UseCases

/// The operators' pages below `/console`: search, accounts, jobs, and charts of the last hour. They change nothing. Each
/// page about accounts or jobs is a call of the operator API and recorded as such, with the reason of the sign-in.
struct Console: Sendable {
    let services: OperatorServices
    let jobs: JobOverview
    let history: MetricHistory
    let pages: Pages
    let sessions: ConsoleSessions

    static let templates = [
        "console_sign_in": PackageResources.console_sign_in_mustache,
        "console_home": PackageResources.console_home_mustache,
        "console_accounts": PackageResources.console_accounts_mustache,
        "console_account": PackageResources.console_account_mustache,
        "console_history": PackageResources.console_history_mustache,
        "console_jobs": PackageResources.console_jobs_mustache,
    ]

    private enum Section: String, CaseIterable {
        case home = "Search"
        case accounts = "Accounts"
        case jobs = "Jobs"

        var path: String {
            switch self {
            case .home: "/console"
            case .accounts: "/console/accounts"
            case .jobs: "/console/jobs"
            }
        }
    }

    /// An operator who looks at a page.
    private struct Visit {
        let request: Request
        let context: OperatorContext
        let session: ConsoleSession
        let key: OperatorKey
    }

    func mount(on router: Router<OperatorContext>) {
        pages.mountAssets(on: router)
        router.get("/") { _, _ in Self.redirect(to: "/console") }
        let console = router.group("/console").add(middleware: ConsoleErrors(console: self))
        console.post("session") { request, _ in try await signIn(request) }
        console.post("sign-out") { request, _ in
            _ = try await ConsoleForm(request)
            var response = Self.redirect(to: "/console")
            response.setCookie(sessions.ended)
            return response
        }
        console.get("") { request, context in
            guard let found = try await sessions.session(of: request) else { return try signInPage() }
            return try home(Visit(request: request, context: context, session: found.session, key: found.key))
        }
        visit(console, .post, "search") { try await search($0) }
        visit(console, .get, "accounts") { try await accountList($0) }
        visit(console, .get, "/accounts/:user") { try await account($0) }
        visit(console, .get, "/accounts/:user/history") { try await accountHistory($0) }
        visit(console, .get, "jobs") { try await jobList($0) }
    }

    private func visit(
        _ console: RouterGroup<OperatorContext>, _ method: HTTPRequest.Method, _ path: RouterPath,
        _ act: @escaping @Sendable (Visit) async throws -> Response
    ) {
        console.on(path, method: method) { request, context in
            guard let found = try await sessions.session(of: request) else { return Self.redirect(to: "/console") }
            return try await act(Visit(request: request, context: context, session: found.session, key: found.key))
        }
    }

    private func begin(_ action: OperatorAction, _ visit: Visit, on user: UserID? = nil) async throws {
        try await services.calls.begin(action, by: visit.key, on: user, reason: visit.session.reason)
    }

    private func signIn(_ request: Request) async throws -> Response {
        let form = try await ConsoleForm(request)
        do {
            let cookie = try await sessions.begin(key: form["key"], reason: form["reason"])
            var response = Self.redirect(to: "/console")
            response.setCookie(cookie)
            return response
        } catch OperatorCalls.Refusal.unauthorized {
            return try signInPage("The key is unknown or has ended.", status: .unauthorized)
        } catch OperatorCalls.Refusal.reasonRequired {
            return try signInPage(
                "Give a reason of 1 to 200 printable characters with a letter or digit.", status: .badRequest)
        }
    }

    private func signInPage(_ problem: String? = nil, status: HTTPResponse.Status = .ok) throws -> Response {
        try page("console_sign_in", problem.map { ["problem": $0] } ?? [:], nil, status: status)
    }

    private func home(_ visit: Visit, problem: String? = nil, status: HTTPResponse.Status = .ok) throws -> Response {
        var content: [String: any Sendable] = [
            "operator": visit.key.name, "role": visit.key.role.rawValue, "reason": visit.session.reason,
            "charts": ConsoleCharts(history.all).content,
        ]
        if let problem { content["problem"] = problem }
        return try page("console_home", content, .home, status: status)
    }

    private func search(_ visit: Visit) async throws -> Response {
        let form = try await ConsoleForm(visit.request)
        let query: IdentityLookup.Query
        switch (form["account"], form["email"], form["provider"], form["subject"]) {
        case (let text, "", "", "") where !text.isEmpty:
            guard let user = UserID(text.trimmingCharacters(in: .whitespaces)) else {
                return try home(visit, problem: "This is not an account id.", status: .badRequest)
            }
            return Self.redirect(to: "/console/accounts/\(user)")
        case ("", let email, "", "") where !email.isEmpty: query = .email(email)
        case ("", "", let name, let subject) where !name.isEmpty && !subject.isEmpty:
            guard let provider = ProviderName(name) else {
                return try home(visit, problem: "This is not a provider's name.", status: .badRequest)
            }
            query = .subject(provider, subject)
        default:
            return try home(
                visit, problem: "Fill in an account id, an e-mail address, or a provider with an id.",
                status: .badRequest)
        }
        try await begin(.findIdentity, visit)
        guard let account = try await services.lookup.account(query) else {
            return try home(visit, problem: "No account was found.", status: .notFound)
        }
        return Self.redirect(to: "/console/accounts/\(account.serviceUserID)")
    }

    private func accountList(_ visit: Visit) async throws -> Response {
        let after = visit.request.uri.queryParameters["after"].flatMap { UserID(String($0)) }
        try await begin(.listAccounts, visit)
        let found = try await services.inspection.accounts(after: after, limit: 50)
        var content: [String: any Sendable] = ["accounts": found.accounts.map(\.description)]
        if let next = found.next { content["next"] = next.description }
        return try page("console_accounts", content, .accounts)
    }

    private func account(_ visit: Visit) async throws -> Response {
        guard let user = try OperatorRequest.account(visit.context) else { throw OperatorFailure.notFound }
        try await begin(.showAccount, visit, on: user)
        guard let report = try await services.inspection.report(on: user) else { throw OperatorFailure.notFound }
        return try page(
            "console_account",
            [
                "account": user.description,
                "facts": report.facts.map { ["name": $0.name, "value": $0.value] },
                "audit": report.audit.map(\.summary),
            ], .accounts)
    }

    private func accountHistory(_ visit: Visit) async throws -> Response {
        guard let user = try OperatorRequest.account(visit.context) else { throw OperatorFailure.notFound }
        let before = visit.request.uri.queryParameters["before"].flatMap { Int($0) }.map { max($0, 1) }
        try await begin(.showHistory, visit, on: user)
        guard let found = try await services.inspection.history(of: user, before: before, limit: 50) else {
            throw OperatorFailure.notFound
        }
        var content: [String: any Sendable] = [
            "account": user.description, "entries": "\(found.entries)", "audit": found.page.map(\.line.summary),
            "proof": found.isProven
                ? "The end of the log is sealed by this service." : "The end of the log cannot be verified.",
        ]
        if let next = found.next { content["next"] = "\(next)" }
        return try page("console_history", content, .accounts)
    }

    private func jobList(_ visit: Visit) async throws -> Response {
        try await begin(.listJobs, visit)
        let content = try await jobs.jobs().map { job in
            let success = job.lastSuccessAt.map { "last success \($0.ISO8601Format())" }
            let start = job.firstStartedAt.map { "no success since \($0.ISO8601Format())" }
            return [
                "name": job.job, "state": job.isOverdue ? "overdue" : "on time",
                "facts": success ?? start ?? "not started yet",
            ]
        }
        return try page("console_jobs", ["jobs": content], .jobs)
    }

    private func page(
        _ template: String, _ content: [String: any Sendable], _ section: Section?,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        var content = content
        content["t"] = ["skip": "Skip to the content", "navigation": "Sections"]
        if let section {
            content["hasNav"] = true
            content["nav"] = Section.allCases.map { other in
                ["path": other.path, "title": other.rawValue, "current": other == section] as [String: any Sendable]
            }
        }
        return try pages.page(template, content, status: status, policy: .ownForms)
    }

    /// Returns a page with a failure.
    fileprivate func failurePage(_ failure: OperatorFailure) throws -> Response {
        try pages.page(
            "message", ["title": failure.status.reasonPhrase, "text": failure.detail], status: failure.status,
            policy: .ownForms)
    }

    private static func redirect(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path, .cacheControl: "no-store"])
    }
}

/// Shows every error of the console as a page.
private struct ConsoleErrors: RouterMiddleware {
    typealias Context = OperatorContext

    let console: Console

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let failure = OperatorFailure(error)
            if let reason = failure.reason {
                context.logger.error(
                    .operatorCallFailed, "console page failed",
                    metadata: ["code": "\(failure.code)", "reason": "\(reason)"])
            }
            return try console.failurePage(failure)
        }
    }
}
