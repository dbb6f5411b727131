import ObjectStorage
import Testing

/// The bounded memory of caches.
@Suite struct RecentValuesTests {
    @Test("values above the capacity replace those that were not used since")
    func generations() {
        var values = RecentValues<Int, String>(capacity: 2)
        for key in 0..<2 { values.insert("\(key)", at: key) }
        values.insert("2", at: 2)
        // Using a value of the previous generation keeps it.
        #expect(values.value(0) == "0")
        values.insert("3", at: 3)
        #expect(values.value(1) == nil)
        #expect(values.value(0) == "0")
        #expect(values.value(3) == "3")
    }

    @Test("a generation holds no more than the capacity in cost, except a single value")
    func costs() {
        var values = RecentValues<Int, String>(capacity: 10)
        values.insert("a", at: 0, cost: 6)
        // A replaced value no longer counts.
        values.insert("b", at: 0, cost: 5)
        values.insert("c", at: 1, cost: 5)
        values.insert("d", at: 2, cost: 1)
        values.insert("e", at: 3, cost: 9)
        #expect(values.value(2) == "d")
        values.insert("f", at: 4, cost: 20)
        values.insert("g", at: 5, cost: 1)
        #expect(values.value(0) == nil && values.value(1) == nil)
        #expect(values.value(4) == "f")
    }
}
