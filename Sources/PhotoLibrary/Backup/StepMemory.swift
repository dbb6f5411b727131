/// The memory of the steps that are under way. Files that are held whole and files that are streamed have a budget
/// each, so that neither kind waits for the other.
struct StepMemory: Sendable {
    private let settings: BackupSettings
    private var held: MemoryBudget
    private var streamed: MemoryBudget

    init(_ settings: BackupSettings) {
        self.settings = settings
        held = MemoryBudget(settings.heldBytes)
        streamed = MemoryBudget(settings.streamedBytes)
    }

    func hasRoom(for step: BackupStep) -> Bool {
        let bytes = step.bytesInMemory(settings)
        return step.isStreamed ? streamed.hasRoom(for: bytes) : held.hasRoom(for: bytes)
    }

    /// Takes what a step needs, if there is that much.
    mutating func take(_ step: BackupStep) -> Bool {
        let bytes = step.bytesInMemory(settings)
        return step.isStreamed ? streamed.take(bytes) : held.take(bytes)
    }

    mutating func give(_ step: BackupStep) {
        let bytes = step.bytesInMemory(settings)
        if step.isStreamed { streamed.give(bytes) } else { held.give(bytes) }
    }
}
