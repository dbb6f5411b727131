import Hummingbird
import PhotolalaAPI

/// The confirmation page before an act that is hard to undo. Its form repeats the act with the field `confirmedField`.
struct ConfirmationPrompt {
    /// The field that marks an act as confirmed.
    static let confirmedField = "confirmed"

    let title: String
    /// Why the question is asked again.
    var warning: String?
    let text: String
    /// An additional paragraph.
    var note: String?
    let button: String
    /// The path and the fields of the form, not including its token.
    let action: String
    let fields: [(name: String, value: String)]
    let back: String
    /// The section of the account that the page shows, if the act belongs to one.
    var section: Section?
}

extension AccountPages {
    /// Mounts a form whose act requires confirmation on a question page.
    /// - Parameter question: Creates the question for the requested act.
    func mountAction<Context: RequestContext>(
        _ path: String, on router: RouterGroup<Context>,
        after question: @escaping @Sendable (AccountPage, Form) async throws -> ConfirmationPrompt,
        _ answer: @escaping @Sendable (AccountPage, Form) async throws -> Response
    ) {
        mountAction(path, on: router) { page, form in
            guard form[ConfirmationPrompt.confirmedField] == nil else { return try await answer(page, form) }
            let question = try await question(page, form)
            let storage = question.section == nil ? nil : try await context.storageBar(page)
            return try showConfirmation(question, page, storage: storage)
        }
    }

    /// - Parameter storage: The storage bar of a page with a section.
    func showConfirmation(
        _ question: ConfirmationPrompt, _ page: AccountPage, storage: [String: any Sendable]? = nil
    ) throws -> Response {
        let fields = question.fields + [(Form.tokenField, page.formToken), (ConfirmationPrompt.confirmedField, "1")]
        var content: [String: any Sendable] = [
            "title": question.title, "text": question.text, "button": question.button,
            "action": question.action, "back": question.back,
            "fields": fields.map { ["name": $0.name, "value": $0.value] },
        ]
        content["warning"] = question.warning
        content["note"] = question.note
        guard let section = question.section else {
            return try context.page("question", content, page.browserRequest)
        }
        content["storage"] = storage
        return try context.page("question", content, page, section: section)
    }
}
