/// Values that the records of a catalog name by their index, each once.
struct ValueTable<Value: Hashable & Sendable>: Sendable {
    private(set) var values: [Value]
    private var indices: [Value: UInt32]
    /// The last text that was looked up, with its index.
    private var last: (text: [UInt8], index: UInt32)?

    init(_ values: [Value] = []) {
        self.values = values
        indices = Dictionary(values.enumerated().map { ($1, UInt32($0)) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func index(of value: Value) -> UInt32 {
        if let index = indices[value] { return index }
        values.append(value)
        indices[value] = UInt32(values.count - 1)
        return UInt32(values.count - 1)
    }

    /// Returns the index of the value of a text; `nil` if it has none. Equal texts often follow each other, so only a change
    /// is parsed.
    mutating func index(
        ofText text: UnsafeBufferPointer<UInt8>, _ parse: (UnsafeBufferPointer<UInt8>) -> Value?
    ) -> UInt32? {
        if let last, text.elementsEqual(last.text) { return last.index }
        guard let value = parse(text) else { return nil }
        let index = index(of: value)
        last = (Array(text), index)
        return index
    }
}
