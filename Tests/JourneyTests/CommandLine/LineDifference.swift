/// The unified diff of two texts.
enum LineDifference {
    private struct Edit {
        let mark: Character
        let line: Substring
    }

    /// Returns the diff with three lines of context; empty if the texts are equal.
    static func unified(expected: String, actual: String) -> String {
        let edits = edits(from: lines(of: expected), to: lines(of: actual))
        var shown = Set<Int>()
        for (index, edit) in edits.enumerated() where edit.mark != " " {
            shown.formUnion(max(0, index - 3)...min(edits.count - 1, index + 3))
        }
        var (text, old, new) = ("", 1, 1)
        for (index, edit) in edits.enumerated() {
            if shown.contains(index) {
                if !shown.contains(index - 1) { text += "@@ -\(old) +\(new) @@\n" }
                text += "\(edit.mark)\(edit.line)\n"
            }
            if edit.mark != "+" { old += 1 }
            if edit.mark != "-" { new += 1 }
        }
        return text
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func edits(from old: [Substring], to new: [Substring]) -> [Edit] {
        let difference = new.difference(from: old)
        let removed = Set(difference.removals.map(offset))
        let inserted = Set(difference.insertions.map(offset))
        var (edits, left, right) = ([Edit](), 0, 0)
        while left < old.count || right < new.count {
            if removed.contains(left) {
                edits.append(Edit(mark: "-", line: old[left]))
                left += 1
            } else if inserted.contains(right) {
                edits.append(Edit(mark: "+", line: new[right]))
                right += 1
            } else {
                edits.append(Edit(mark: " ", line: old[left]))
                (left, right) = (left + 1, right + 1)
            }
        }
        return edits
    }

    private static func offset(_ change: CollectionDifference<Substring>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
