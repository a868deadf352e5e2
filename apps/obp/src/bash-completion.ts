/**
 * The library's own script needs the package bash-completion and offers no files. This one needs bash 3.2, as macOS has
 * it, and runs nothing of what stands on the line.
 */
export const bashCompletion = `# bash completion for obp

_obp() {
    local word words=() line
    # Bash makes three words of --option=value.
    for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
        [[ $word == = ]] || words+=("$word")
    done
    [[ $word == = ]] && words+=("")
    word=\${words[\${#words[@]} - 1]}
    COMPREPLY=()
    while IFS= read -r line; do
        line=\${line%%$'\\t'*}
        [[ $line == :* || $line != "$word"* ]] || COMPREPLY+=("$line")
    done < <(obp complete -- "\${words[@]}" 2> /dev/null)
}

complete -o bashdefault -o default -F _obp obp
`;
