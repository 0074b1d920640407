rule claims:
    input:
        inputs("claims"),
    output:
        claims="results/{scale}/claims/chapter{chapter}.csv",
        stamp="results/{scale}/stamps/claims/chapter{chapter}.json",
    log:
        "results/{scale}/logs/claims/chapter{chapter}.log",
    benchmark:
        "results/{scale}/benchmarks/claims/chapter{chapter}.tsv"
    conda:
        "../../envs/nonconvex.yaml"
    threads: 1
    resources:
        mem_mb=memory("claims"),
        runtime=minutes("claims"),
    params:
        plan=plan("claims"),
        code=code("claims"),
    message:
        "Judging the claims of chapter {wildcards.chapter}"
    shell:
        "python -m nonconvex claims --plan {params.plan:q} --digest {params.code} "
        "--input {input} --output {output.claims} --stamp {output.stamp} > {log} 2>&1"


rule ledger:
    input:
        inputs("ledger"),
    output:
        ledger="results/{scale}/claims.csv",
        stamp="results/{scale}/stamps/claims.json",
    log:
        "results/{scale}/logs/claims.log",
    benchmark:
        "results/{scale}/benchmarks/claims.tsv"
    conda:
        "../../envs/nonconvex.yaml"
    threads: 1
    resources:
        mem_mb=memory("ledger"),
        runtime=minutes("ledger"),
    params:
        plan=plan("ledger"),
        code=code("ledger"),
    message:
        "Joining the chapters' claims"
    shell:
        "python -m nonconvex ledger --plan {params.plan:q} --digest {params.code} "
        "--input {input} --output {output.ledger} --stamp {output.stamp} > {log} 2>&1"
