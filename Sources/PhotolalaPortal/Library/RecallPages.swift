import Hummingbird
import Localization
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import UseCases

/// Requests the archived ones among the photos that were chosen in the grid, after a page with times and costs.
struct RecallPages: Sendable {
    /// The counts in the notice on the library page, as fields of its URL.
    enum Outcome: String, CaseIterable {
        case asked, wait, way, readable, unmet, denied
    }

    /// The path of the form.
    static let path = "/library/recall"

    let context: PageContext
    let account: AccountPages

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        account.mountAction(Self.path, on: router) { page, form in
            let photos = Set(form.names.compactMap { ContentDigest($0) })
            guard !photos.isEmpty else { return context.redirect(to: Self.backPath(form)) }
            guard form[ConfirmationPrompt.confirmedField] != nil else { return try await ask(photos, page, form) }
            let request = try ArchiveOptions.request(form)
            let summary = try await context.services.library.recall(photos, request, caller: page.caller)
            return context.redirect(to: Self.backPath(form, try outcome(summary, page)))
        }
    }

    /// Asks for speed and days, unless there is nothing to request.
    private func ask(_ photos: Set<ContentDigest>, _ page: AccountPage, _ form: Form) async throws -> Response {
        let summary = try await context.services.library.recall(photos, nil, caller: page.caller)
        guard summary.estimate.objects > 0, summary.ending == .completed else {
            return context.redirect(to: Self.backPath(form, try outcome(summary, page)))
        }
        let texts = page.browserRequest.texts
        var fields = photos.sorted().map { ($0.description, "1") }
        for name in ["from", "near"] { if let value = form[name] { fields.append((name, value)) } }
        fields += [(Form.tokenField, page.formToken), (ConfirmationPrompt.confirmedField, "1")]
        let estimate = summary.estimate
        let text = [
            texts(.recallText, [.count: texts.number(estimate.objects), .size: texts.size(estimate.bytes)]),
            summary.inProgressFiles > 0 ? texts(.recallWay, [.count: texts.number(summary.inProgressFiles)]) : nil,
        ]
        return try context.page(
            "recall",
            [
                "text": text.compactMap { $0 }.joined(separator: " "), "action": Self.path, "back": Self.backPath(form),
                "fields": fields.map { ["name": $0.0, "value": $0.1] },
                "options": ArchiveOptions(estimate: estimate, texts: texts).content,
            ], page, section: .photos)
    }

    private func outcome(_ summary: RecallSummary, _ page: AccountPage) throws -> [Outcome: Int] {
        var outcome: [Outcome: Int] = [.asked: summary.requestedFiles]
        if let longest = summary.longest { outcome[.wait] = Int(longest.components.seconds) }
        if summary.inProgressFiles > 0 { outcome[.way] = summary.inProgressFiles }
        if summary.readableFiles > 0 { outcome[.readable] = summary.readableFiles }
        if summary.ending != .completed {
            outcome[.denied] = try context.services.library.isLimited(page.caller) ? 2 : 1
        } else if !summary.failures.isEmpty {
            outcome[.unmet] = summary.failures.count
        }
        return outcome
    }

    /// Returns the notice about the request, for the page that follows.
    static func notice(_ page: AccountPage) -> String? {
        let texts = page.browserRequest.texts
        func count(_ outcome: Outcome) -> Int? {
            page.query[outcome.rawValue].flatMap { Int($0) }.flatMap { (0...1_000_000).contains($0) ? $0 : nil }
        }
        guard let asked = count(.asked) else { return nil }
        let isDenied = count(.denied)
        let parts = [
            isDenied.map { texts($0 == 2 ? .recallDeniedLimited : .recallDenied) },
            asked == 0 && isDenied != nil ? nil : texts(.recallAsked, [.count: texts.number(asked)]),
            count(.wait).map { texts(.recallWait, [.duration: texts.duration(.seconds($0))]) },
            count(.way).map { texts(.recallWay, [.count: texts.number($0)]) },
            count(.readable).map { texts(.recallReadable, [.count: texts.number($0)]) },
            count(.unmet).map { texts(.recallUnmet, [.count: texts.number($0)]) },
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }

    /// Returns the URL of the library page at the person's position, with the outcome.
    private static func backPath(_ form: Form, _ outcome: [Outcome: Int] = [:]) -> String {
        let near = form["near"].flatMap { ContentDigest($0) }.map { "&near=\($0)" } ?? ""
        let block = form["from"].flatMap { UInt32($0) } ?? 0
        let parameters = Outcome.allCases.compactMap { name in outcome[name].map { "&\(name.rawValue)=\($0)" } }
            .joined()
        return "\(PhotoList.photos.path)?from=\(block)\(near)\(parameters)"
    }
}
