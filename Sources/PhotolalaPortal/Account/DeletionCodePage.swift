import Hummingbird
import Localization
import PhotolalaAPI
import UseCases

/// The page that accepts the codes of a deletion, without an account: a receipt code shows its state, an undo code
/// cancels it. No URL contains a code, so none is in a browser's history or in a proxy's log.
struct DeletionCodePage: Sendable {
    static let path = "/deletion"

    let context: PageContext

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.get(RouterPath(Self.path)) { request, _ in
            try show(BrowserRequest(request, catalog: context.catalog))
        }
        router.post(RouterPath(Self.path)) { request, _ in try await handleForm(request) }
    }

    private func show(
        _ browserRequest: BrowserRequest, _ content: [String: any Sendable] = [:], isWrong: Bool = false
    ) throws -> Response {
        let (browser, isNew) = context.browser(browserRequest)
        var content = content
        content["isWrong"] = isWrong
        content["formToken"] = try context.services.formTokens.makeToken(browser, nil)
        return context.storeBrowser(
            browser, isNew,
            in: try context.page("deletion", content, browserRequest, status: isWrong ? .notFound : .ok))
    }

    private func handleForm(_ request: Request) async throws -> Response {
        let browserRequest = BrowserRequest(request, catalog: context.catalog)
        let form = try await Form(request)
        try context.services.formTokens.check(form[Form.tokenField], browserRequest.browser, nil)
        let content: [String: any Sendable]
        do throws(ServiceError) {
            content = try await use(form, browserRequest.texts)
        } catch .notFound, .noDeletionScheduled {
            return try show(browserRequest, isWrong: true)
        }
        return try show(browserRequest, content)
    }

    /// Acts on the code in a form.
    /// - Returns: The template's content with the result.
    /// - Throws: `notFound` or `noDeletionScheduled` for an unknown code.
    private func use(_ form: Form, _ texts: LocalizedStrings) async throws(ServiceError) -> [String: any Sendable] {
        if let code = Self.code("undo_code", in: form) {
            try await context.services.deletion.cancel(undoCode: code)
            return ["result": texts(.deletionUndone)]
        }
        let status = try await context.services.deletion.status(
            receiptCode: Self.code("receipt_code", in: form) ?? "")
        let state = texts.member(
            status.state.rawValue, of: .deletionState, [.date: status.erasesAt.map(texts.time) ?? ""])
        var content: [String: any Sendable] = ["result": state ?? status.state.rawValue]
        content["receipt"] = status.receipt
        return content
    }

    /// Returns a code without the line breaks and spaces that a copy may contain.
    private static func code(_ name: String, in form: Form) -> String? {
        form[name].map { String($0.filter { !$0.isWhitespace }) }
    }
}
