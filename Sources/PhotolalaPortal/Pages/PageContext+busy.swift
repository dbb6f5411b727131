import HTTPTypes
import Hummingbird
import Localization
import UseCases

extension PageContext {
    /// The fields of forms that hold a secret, which no page repeats.
    private static let secretFields: Set<String> = ["password"]

    /// The fields of forms that confirm an act, which the page of a repeated form would not name.
    private static let confirmations = ["confirmation", ConfirmationPrompt.confirmedField]

    /// The most fields of a form that is repeated, and the most bytes of their contents: a refusal stays cheap.
    private static let (mostFields, mostBytes) = (300, 16 << 10)

    /// The labels of typed texts, by the beginning of the form's path and the name of the field.
    private static let typedFields: [(path: String, name: String, label: String)] = [
        (AlbumPages.path, "name", "album_name"), (SharedLinkPages.path, "title", "share_heading"),
        (Section.overview.path, "name", "name"),
    ]

    /// Returns the page in place of one that is refused because of too many requests. The browser requests that page
    /// again by itself. After an act, it says that the act was processed.
    func busy(_ request: Request, _ browserRequest: BrowserRequest, for seconds: Int) throws -> Response {
        let texts = browserRequest.texts
        let mark = ReportedOutcome.mark(for: request.uri.description, browserRequest.cookies[.outcome])
        // Over a limit, reading the session would be one more request: the navigation is that of any account.
        var response = try message(
            texts(.busyTitle), texts(mark == nil ? .busyText : .busyDone, [.duration: texts.wait(seconds)]),
            [(texts(.tryAgain), PageLocation.of(request).path)], browserRequest, status: .tooManyRequests,
            hasNavigation: browserRequest.cookies[.session] != nil)
        response.headers[.retryAfter] = String(seconds)
        if let refresh = HTTPField.Name("Refresh") { response.headers[refresh] = String(seconds) }
        if let mark { response.extendReport(mark, by: seconds) }
        return response
    }

    /// Returns the page for a form that is refused because of too many requests, with the same form to send it again.
    /// Secrets are typed again.
    /// - Throws: `rateLimited` for a form that a script sent, for a large one, and for one that confirms an act.
    func refused(_ form: Form, _ request: Request, for seconds: Int) throws -> Response {
        let browserRequest = BrowserRequest(request, catalog: catalog)
        let size = form.names.reduce((fields: 0, bytes: 0)) { sum, name in
            (sum.fields + 1, sum.bytes + name.utf8.count + (form[name]?.utf8.count ?? 0))
        }
        guard !browserRequest.isScript, !Self.confirmations.contains(where: { form[$0] != nil }),
            size.fields <= Self.mostFields, size.bytes <= Self.mostBytes
        else {
            throw ServiceError.rateLimited(retryAfter: seconds)
        }
        let (texts, path) = (browserRequest.texts, request.uri.path)
        let typed = Self.typedFields.first { path.hasPrefix($0.path) && form[$0.name] != nil }
        let fields = form.names.filter { !Self.secretFields.contains($0) && $0 != typed?.name }
        var content: [String: any Sendable] = [
            "title": texts(.refusedTitle), "text": texts(.retryAfter, [.duration: texts.wait(seconds)]),
            "action": request.uri.description, "back": PageLocation.of(request).path,
            "fields": fields.sorted().map { ["name": $0, "value": form[$0] ?? ""] },
            "needsPassword": Self.secretFields.contains { form[$0]?.isEmpty == false },
        ]
        if let typed {
            content["typed"] = [
                "label": texts.all[typed.label] ?? "", "name": typed.name, "value": form[typed.name] ?? "",
            ]
        }
        addNavigation(to: &content, nil, texts)
        var response = try page("refused_form", content, browserRequest, status: .tooManyRequests)
        response.headers[.retryAfter] = String(seconds)
        return response
    }
}
