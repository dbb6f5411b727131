import Foundation
import PhotolalaClient
import Testing

@Suite("Texts of errors") struct ErrorTextTests {
    @Test("the localized description of an error is its detail")
    func descriptions() {
        let errors: [any Error] = [
            PhotolalaError(code: .cancelled, detail: "Cancelled."), SecretStorageError(detail: "Cancelled."),
        ]
        for error in errors { #expect(error.localizedDescription == "Cancelled.") }
    }
}
